import Foundation

/// Validates the objects that a migration has written, by the rules of the destination's model.
struct FinalValidation {
  private let stack: MigrationStack
  /// The largest number of errors to report.
  private static let mostErrors = 20

  init(_ stack: MigrationStack) { self.stack = stack }

  /// - Parameter names: The names of the entities whose objects were written.
  /// - Returns: the first errors; nil without any.
  /// - Throws: the error of reading the destination.
  func errors(_ names: Set<String>) throws -> [NSError]? {
    var errors: [NSError] = []
    for name in names.sorted() {
      guard let entity = stack.context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name] else {
        continue
      }
      let layout = entity.layout
      let slots = ContiguousArray(layout.slots.filter(\.hasRules))
      if slots.isEmpty { continue }
      let request = NSFetchRequest<NSManagedObject>(entityName: name)
      request.includesSubentities = false
      request.fetchBatchSize = MigrationRun.batchSize
      let pages = try stack.context.fetchPages(request, keeping: 1)
      for start in stride(from: 0, to: pages.count, by: pages.pageSize) {
        let objects = ContiguousArray(pages[start..<min(start + pages.pageSize, pages.count)])
        for slot in slots where slot.kind == .toMany && stack.store.readsInCompany {
          try Prefetch(into: stack.context).read(slot.name, objects, layout)
        }
        for object in objects { errors += Self.errors(of: object, slots) }
        if errors.count >= Self.mostErrors { return Array(errors.prefix(Self.mostErrors)) }
        stack.letGo()
      }
    }
    return errors.isEmpty ? nil : errors
  }

  private static func errors(of object: NSManagedObject, _ slots: ContiguousArray<PropertySlot>) -> [NSError] {
    slots.flatMap { slot -> [NSError] in
      do {
        switch slot.kind {
        case .toMany: try object.validate(object.members(slot), slot)
        case .composite: try object.validateComposite(slot) { object.currentValue($0) }
        default: try object.validate(object.currentValue(slot), slot)
        }
        return []
      } catch {
        return NSError.single(error).map { $0 as NSError }
      }
    }
  }
}
