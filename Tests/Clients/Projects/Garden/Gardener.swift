//
//  Gardener.swift
//  Garden
//

import CoreData
import StackKit

final class Gardener: NSObject {

    private(set) var loads = 0

}

extension Gardener: StackObserver {

    func stackDidLoad(_ container: NSPersistentContainer) {
        loads += 1
    }

    func stack(_ container: NSPersistentContainer, nameFor url: URL?) -> String {
        return container.name
    }

}

/// Implements nothing that it need not.
final class Silent: NSObject, StackObserver {

    func stackDidLoad(_ container: NSPersistentContainer) {}

}
