import Foundation
import OpenCocoaFoundation

/// The source objects of a mapping. For a fetch it holds the keys, and reads objects as they are needed.
struct SourceInstances {
  private var pages: OCDFetchedPages<NSManagedObject>?
  private var array: [NSManagedObject] = []

  init(_ task: MigrationTask, _ manager: NSMigrationManager, _ context: NSManagedObjectContext) throws {
    if let request = try Self.request(task, manager) {
      if request.fetchBatchSize == 0 { request.fetchBatchSize = MigrationRun.batchSize }
      pages = try context.fetchPages(request, keeping: 1)
      return
    }
    guard let expression = task.sourceExpression else { return }
    let value = try manager.run?.value(of: expression, task)
    guard let objects = MappedMembers.objects(value) else {
      throw MigrationFailure.error(
        "its source expression does not give objects: \(expression)", entity: task.source?.name, mapping: task.mapping)
    }
    array = objects
  }

  var count: Int { pages?.count ?? array.count }

  func objects(_ range: Range<Int>) -> [NSManagedObject] {
    pages.map { Array($0[range]) } ?? Array(array[range])
  }

  /// The request of `FETCH(request, $manager.sourceContext, NO)`; nil for any other expression.
  static func request(_ task: MigrationTask, _ manager: NSMigrationManager) throws -> NSFetchRequest<NSManagedObject>? {
    guard let expression = task.sourceExpression, case .fetch(let request, _, countOnly: false) = expression.node else {
      return nil
    }
    return try manager.run?.value(of: request, task) as? NSFetchRequest<NSManagedObject>
  }
}
