//
//  ChangeMonitor.swift
//  Journal
//

import CoreData

private nonisolated(unsafe) var titleContext = 0

/// Watches a context by notifications, and one entry by key-value observing.
final class ChangeMonitor: NSObject, @unchecked Sendable {

    private(set) var insertedCount = 0
    private(set) var saves = 0
    private(set) var sectionTitles: [String] = []
    private(set) var titles: [String] = []

    private let context: NSManagedObjectContext
    private var observation: NSKeyValueObservation?
    private var entry: Entry?

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
        let center = NotificationCenter.default
        center.addObserver(
            self,
            selector: #selector(managedObjectContextObjectsDidChange(_:)),
            name: .NSManagedObjectContextObjectsDidChange,
            object: context
        )
        center.addObserver(
            self,
            selector: #selector(ChangeMonitor.contextDidSave),
            name: NSNotification.Name.NSManagedObjectContextDidSave,
            object: context
        )
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc private func managedObjectContextObjectsDidChange(_ notification: Notification) {
        guard let userInfo = notification.userInfo else { return }
        if let inserts = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject>, !inserts.isEmpty {
            insertedCount += inserts.count
        }
    }

    @objc func contextDidSave(notification: NSNotification) {
        guard notification.object as? NSManagedObjectContext === context else { return }
        saves += 1
    }

    func watch(_ entry: Entry) {
        self.entry = entry
        observation = entry.observe(\.sectionTitle, options: [.new]) { [unowned self] entry, _ in
            self.sectionTitles.append(entry.sectionTitle ?? "-")
        }
        entry.addObserver(self, forKeyPath: #keyPath(Entry.title), options: [.old, .new], context: &titleContext)
    }

    func stopWatching() {
        observation?.invalidate()
        observation = nil
        entry?.removeObserver(self, forKeyPath: #keyPath(Entry.title), context: &titleContext)
        entry = nil
    }

    override func observeValue(
        forKeyPath keyPath: String?,
        of object: Any?,
        change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        guard context == &titleContext else {
            super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
            return
        }
        let old = change?[.oldKey] as? String ?? "-"
        let new = change?[.newKey] as? String ?? "-"
        titles.append("\(old) -> \(new)")
    }

}
