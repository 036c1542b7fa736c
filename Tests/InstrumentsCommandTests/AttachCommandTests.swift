#if os(Linux)
  import CoreData
  import Foundation
  import Testing
  import ToolProcess

  @testable import OpenCoreData

  /// `coredata attach` as a user sees it, with this process as the program that is looked into.
  @Suite(.serialized) struct AttachCommandTests {
    private static func model() -> NSManagedObjectModel {
      let entity = NSEntityDescription()
      entity.name = "AttachedNote"
      let text = NSAttributeDescription()
      (text.name, text.attributeType) = ("text", .stringAttributeType)
      entity.properties = [text]
      let model = NSManagedObjectModel()
      model.entities = [entity]
      return model
    }

    private static func context() throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      context.name = "notes"
      return context
    }

    /// The program tells of one context's coordinator alone, and waits for it: other tests' contexts are not touched.
    private func with(
      _ context: NSManagedObjectContext? = nil,
      _ body: (_ folder: URL, _ tool: ([String]) throws -> Tool) throws -> Void
    ) throws {
      let folder = try Recorded.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let sockets = folder.appending(path: "s")
      let coordinators = [context?.persistentStoreCoordinator].compactMap { $0.map { LiveObjects.address(of: $0) } }
      try CoreDataInstruments.listen(
        in: sockets, isAllowed: true, scope: LookScope(coordinators: Set(coordinators), patience: 120))
      #expect(CoreDataInstruments.isListening)
      #expect(throws: CocoaError.self) { try CoreDataInstruments.listen(in: sockets) }
      defer {
        CoreDataInstruments.stopListening()
        #expect((try? FileManager.default.contentsOfDirectory(atPath: sockets.path)) == [])
      }
      try body(folder) { try Tool(["attach", "--folder", sockets.path] + $0) }
    }

    @Test func theTreeAndAContextAreShown() throws {
      let context = try Self.context()
      context.performAndWait {
        for text in ["first", "second"] {
          NSEntityDescription.insertNewObject(forEntityName: "AttachedNote", into: context).setValue(
            text, forKey: "text")
        }
      }
      try with(context) { _, attach in
        let tree = try attach([])
        #expect(tree.status == 0, "\(tree.errors)")
        let line = try #require(tree.output.split(separator: "\n").first { $0.contains("context \"notes\"") })
        #expect(line.contains("private queue: 2 objects, 0 faults, 2 inserted"), "\(tree.output)")
        let changes = try attach(["\(getpid())", "--context", "notes"])
        #expect(changes.output.contains("2 objects with changes") && changes.output.contains("  text: second"))
        #expect(changes.output.contains("AttachedNote        2       0"), "\(changes.output)")
        let matches = try attach(["--context", "notes", "--predicate", "text BEGINSWITH 'f'", "--json"]).json()
        #expect(((matches["matches"] as? [String: Any])?["matches"] as? [String])?.count == 1, "\(matches)")
        #expect(try attach(["--context", "nothing"]).status == 1)
        #expect(try attach(["--predicate", "text == nil"]).status == 64)
        #expect(try attach(["1"]).errors.contains("CoreDataInstruments.listen()"))
        let listed = try attach(["--json"])
        #expect(listed.output.contains("\"process\" : \(getpid())"), "\(listed.output)")
      }
      withExtendedLifetime(context) {}
    }

    @Test func aRecordingIsStartedAndStopped() throws {
      try with { folder, attach in
        let file = folder.appending(path: "work.cdrec")
        let tool = try attach(["--record", file.path, "--watch", "--seconds", "0", "--json"])
        // Another test of this process may be recording.
        guard !tool.errors.contains("A recording is running already") else { return }
        #expect(tool.status == 0, "\(tool.errors)")
        let shown = try Tool("instruments", file.path)
        #expect(shown.status == 0 && shown.output.contains("; stopped"), "\(shown.output)\(shown.errors)")
      }
    }

    @Test func socketsOfProgramsThatAreGoneAreRemoved() throws {
      try with { folder, attach in
        // A socket that nobody listens at, as a killed program leaves it.
        let stale = folder.appending(path: "s/99999999.sock").path
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(stale.utf8)) }
        let isBound = withUnsafePointer(to: &address) { place in
          place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        close(made)
        try #require(isBound == 0)
        #expect(try attach(["--json"]).output.contains("99999999") == false)
        #expect(!FileManager.default.fileExists(atPath: stale))
      }
      let empty = try Recorded.folder()
      defer { try? FileManager.default.removeItem(at: empty) }
      let none = try Tool(["attach"], environment: ["XDG_RUNTIME_DIR": empty.path])
      #expect(none.status == 1 && none.errors.contains("No program listens"), "\(none.errors)")
    }

    @Test func anExampleListensWhileItRuns() throws {
      let folder = try Recorded.folder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let tool = try Tool(
        ["tune", "--people", "5", "--selfies", "5", "--networks", "5", "--test", "DidFault", "--listen"],
        environment: ["XDG_RUNTIME_DIR": folder.path])
      #expect(tool.status == 0 && tool.errors.contains("coredata attach "), "\(tool.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "opencoredata").path).isEmpty)
    }
  }
#endif
