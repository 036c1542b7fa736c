#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreDataPostgreSQL

  /// What a program reads of a store of `BatchModels.graph`, each as texts.
  enum ReadingWork: String, CaseIterable, Sendable {
    case objects, faults, members, count, dictionaries, history, metadata, opening

    /// Thirty nodes in three boxes, with labels.
    static func setUp(_ world: BatchWorld) throws {
      try world.inContext { context in
        let boxes = (0..<3).map { context.make("Box", ["tag": "box\($0)"]) }
        let labels = (0..<4).map { context.make("Label", ["tag": "label\($0)"]) }
        for number in 0..<30 {
          let node = context.make("Node", ["tag": "node\(number)", "age": number, "box": boxes[number % 3]])
          node.setValue(NSSet(array: [labels[number % 4], labels[(number + 1) % 4]]), forKey: "labels")
        }
        try context.save()
      }
    }

    /// Reads with a context of its own.
    func run(_ world: BatchWorld) throws -> [String] {
      switch self {
      case .metadata:
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSPostgreSQLStoreType, at: world.url, options: nil)
        return ["\(metadata[NSStoreUUIDKey] ?? "")"]
      case .opening:
        let opened = try BatchWorld(BatchModels.graph(), at: world.url, options: Self.options)
        _ = try opened.store.attendant.stop()
        return try opened.contents()
      default: return try world.inContext { try read(in: $0) }
      }
    }

    static var options: [String: Any] {
      [NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: Patience.seconds]
    }

    private func read(in context: NSManagedObjectContext) throws -> [String] {
      switch self {
      case .objects:
        return try context.all("Node", "age > 3 AND box.tag != 'box0'").map(Self.tag).sorted()
      case .faults:
        let ids = try context.all("Node").map(\.objectID)
        context.reset()
        return try ids.map { Self.tag(try context.existingObject(with: $0)) }.sorted()
      case .members:
        return try context.all("Label").flatMap { label in
          let nodes = label.value(forKey: "nodes") as? Set<NSManagedObject> ?? []
          return nodes.map { "\(Self.tag(label)) \(Self.tag($0))" }
        }.sorted()
      case .count: return ["\(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Node")))"]
      case .dictionaries:
        let request = NSFetchRequest<NSDictionary>(entityName: "Node")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["tag", "age"]
        return try context.fetch(request).map { "\($0["tag"] ?? "") \($0["age"] ?? "")" }.sorted()
      default:
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
        return transactions.map { "\($0.changes?.count ?? 0)" }
      }
    }

    private static func tag(_ object: NSManagedObject) -> String { object.value(forKey: "tag") as? String ?? "?" }
  }
#endif
