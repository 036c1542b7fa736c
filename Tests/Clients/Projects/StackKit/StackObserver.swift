//
//  StackObserver.swift
//  StackKit
//

import CoreData

/// Hears of a stack. It need not listen to everything.
@objc public protocol StackObserver: NSObjectProtocol {

    func stackDidLoad(_ container: NSPersistentContainer)
    @objc optional func stack(_ container: NSPersistentContainer, nameFor url: URL?) -> String
    @objc optional func stackWillClose()

}

public final class StackCloser {

    public weak var observer: StackObserver?

    public init(observer: StackObserver) {
        self.observer = observer
    }

    /// Returns the name that the observer gives.
    public func close(_ stack: CoreDataStack) -> String {
        observer?.stackDidLoad(stack.container)
        let url = stack.container.persistentStoreDescriptions.first?.url
        let name = observer?.stack?(stack.container, nameFor: url) ?? "none"
        observer?.stackWillClose?()
        return name
    }

}
