//
//  EntryListController.swift
//  Journal
//

import CoreData

/// The data source of the list of entries.
final class EntryListController: NSObject {

    private let context: NSManagedObjectContext

    private(set) var changes: [String] = []

    private lazy var fetchedResultsController: NSFetchedResultsController<Entry> = {
        let request: NSFetchRequest<Entry> = Entry.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: #keyPath(Entry.isPinned), ascending: false),
            NSSortDescriptor(key: #keyPath(Entry.date), ascending: true),
            NSSortDescriptor(
                key: #keyPath(Entry.title),
                ascending: true,
                selector: #selector(NSString.localizedCaseInsensitiveCompare(_:))
            )
        ]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: #keyPath(Entry.sectionTitle),
            cacheName: nil
        )
        controller.delegate = self
        return controller
    }()

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
    }

    func performFetch() throws {
        try fetchedResultsController.performFetch()
    }

    func takeChanges() -> [String] {
        defer { changes.removeAll() }
        return changes
    }

    // MARK: - Data source

    var numberOfSections: Int {
        return fetchedResultsController.sections?.count ?? 0
    }

    func titleForHeader(inSection section: Int) -> String? {
        return fetchedResultsController.sections?[section].name
    }

    func numberOfRows(inSection section: Int) -> Int {
        return fetchedResultsController.sections?[section].numberOfObjects ?? 0
    }

    var outline: [String] {
        return fetchedResultsController.sections?.map { section in
            let titles = (section.objects as? [Entry] ?? []).map { $0.title ?? "-" }
            return "\(section.name): \(titles.joined(separator: ", "))"
        } ?? []
    }

}

// MARK: - NSFetchedResultsControllerDelegate

extension EntryListController: NSFetchedResultsControllerDelegate {

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        changes.append("begin")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        switch type {
        case .insert: changes.append("insert section \(sectionInfo.name) at \(sectionIndex)")
        case .delete: changes.append("delete section \(sectionInfo.name) at \(sectionIndex)")
        default: break
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        guard let entry = anObject as? Entry else { return }
        let title = entry.title ?? "-"
        switch type {
        case .insert: changes.append("insert \(title) at \(newIndexPath!)")
        case .delete: changes.append("delete \(title) at \(indexPath!)")
        case .move: changes.append("move \(title) from \(indexPath!) to \(newIndexPath!)")
        case .update: changes.append("update \(title) at \(indexPath!)")
        @unknown default: fatalError()
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        changes.append("end")
    }

}
