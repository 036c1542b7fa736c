#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing
  import ToolProcess

  /// `coredata store` with stores in a PostgreSQL server.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerCopyTests {
    private let folder: URL

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "ocd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func model() -> NSManagedObjectModel {
      let title = NSAttributeDescription()
      (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
      let note = NSEntityDescription()
      (note.name, note.properties) = ("Note", [title])
      let model = NSManagedObjectModel()
      model.entities = [note]
      return model
    }

    /// A store in a file.
    private func make() throws -> String {
      let file = folder.appending(path: "Store.sqlite"),
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
      let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
      store.metadata["color"] = "red"
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      try context.performAndWait {
        for title in ["a", "b"] {
          NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(title, forKey: "title")
        }
        try context.save()
      }
      try coordinator.remove(store)
      return file.path
    }

    @Test func thereAndBack() throws {
      let file = try make(), server = try TestPlace.new().absoluteString,
        back = folder.appending(path: "Back.sqlite").path
      let there = try Tool("store", "copy", file, server)
      #expect(there.status == 0 && there.errors.isEmpty, "\(there.errors)")
      let again = try Tool("store", "copy", file, server)
      #expect(again.status == 1 && again.errors.contains("already"), "\(again.errors)")
      let home = try Tool("store", "copy", server, back)
      #expect(home.status == 0 && home.errors.isEmpty, "\(home.errors)")
      #expect(try Tool("store", "copy", server, back).status == 1)
      let export = { try Tool("store", "export", $0, "--format", "json").output }
      #expect(try export(back) == export(file))
      #expect(try export(server) == export(file))
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: URL(fileURLWithPath: back))
      #expect(metadata["color"] as? String == "red")
    }

    @Test func inTheServer() throws {
      let file = try make(), server = try TestPlace.new().absoluteString, other = try TestPlace.new().absoluteString
      #expect(try Tool("store", "copy", file, server).status == 0)
      let copy = try Tool("store", "copy", server, other)
      #expect(copy.status == 0 && copy.errors.isEmpty, "\(copy.errors)")
      #expect(try Tool("store", "copy", server, other).errors.contains("already"))
      let destroyed = try Tool("store", "destroy", server, "--yes")
      #expect(destroyed.status == 0, "\(destroyed.errors)")
      let gone = try Tool("store", "info", server)
      #expect(gone.status == 1 && gone.errors.contains("There is no store in the schema"), "\(gone.errors)")
      let info = try Tool("store", "info", other)
      #expect(info.status == 0 && info.output.contains("Note"), "\(info.errors)")
    }

    @Test func passwordsAreNotShown() throws {
      let tool = try Tool("store", "info", "postgresql://me:secret@/none?host=/nowhere&password=secret")
      #expect(tool.status == 1 && !tool.errors.contains("secret"), "\(tool.errors)")
    }
  }
#endif
