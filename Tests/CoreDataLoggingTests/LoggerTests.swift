#if SwiftLog
  import CoreData
  import CoreDataLogging
  import Logging
  import Synchronization
  import Testing

  /// The framework's log in a logger of swift-log.
  @Suite(.serialized) struct LoggerTests {
    private final class Lines: Sendable {
      let all = Mutex<[String]>([])
    }

    private struct Handler: LogHandler {
      let lines: Lines
      var metadata: Logger.Metadata = [:]
      var logLevel = Logger.Level.trace

      subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
      }

      func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt
      ) {
        lines.all.withLock { $0.append("\(level) \(metadata?["coredata.kind"] ?? ""): \(message)") }
      }
    }

    @Test func linesComeWithTheirKindAndLevel() throws {
      let lines = Lines()
      CoreDataInstruments.log(to: Logger(label: "store") { _ in Handler(lines: lines) })
      CoreDataInstruments.sqlDebugLevel = 1
      defer {
        CoreDataInstruments.sqlDebugLevel = 0
        CoreDataInstruments.logHandler = nil
      }
      let entity = NSEntityDescription()
      entity.name = "Thing"
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait { _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing")) }
      let all = lines.all.withLock { $0 }
      #expect(all.contains { $0.hasPrefix("debug sql: SELECT COUNT(*) FROM ZTHING") })
      #expect(all.contains { $0.hasPrefix("debug annotation: total count request execution time: ") })
    }
  }
#endif
