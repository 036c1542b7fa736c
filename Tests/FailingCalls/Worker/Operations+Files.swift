import CoreData
import Foundation

/// Operations on whole stores.
enum FileOperations {
  static func open(_ kind: StoreKind) -> Operation {
    // A database without tables is accepted in place of no database.
    SimpleOperation(
      "open-new", kind, between: ["Store.sqlite: a database without tables\n"], prepare: { _ in },
      run: { operation in try StorePlace.close(try operation.store.open(version: 0)) })
  }

  static func backUp(_ kind: StoreKind) -> Operation {
    SimpleOperation("backup", kind, others: [("Copy", nil)]) { operation in
      try NSPersistentStoreCoordinator.backUpPersistentStore(
        at: operation.store.url, to: operation.place("Copy").url, options: operation.store.options)
    }
  }

  /// Makes an operation that copies a store to an empty place, or over another store, which has large values, too.
  static func replace(_ kind: StoreKind, over: Bool) -> Operation {
    SimpleOperation(
      over ? "replace-over" : "replace-new", kind, others: [("Place", nil)],
      prepare: { operation in
        try WorkerModel.fill(operation.store)
        if over { try WorkerModel.fill(operation.place("Place"), names: "replaced") }
      },
      run: { operation in
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkerModel.all[0])
        try coordinator.replacePersistentStore(
          at: operation.place("Place").url, destinationOptions: operation.store.options,
          withPersistentStoreFrom: operation.store.url, sourceOptions: operation.store.options, ofType: kind.type)
      })
  }

  static func destroy(_ kind: StoreKind) -> Operation { DestroyOperation("destroy", kind) }

  /// Makes an operation that destroys a store and makes a new one at its place.
  static func startAgain(_ kind: StoreKind) -> Operation { StartAgainOperation("destroy-open", kind) }

  /// Makes an operation that moves the objects of an open store to a new store.
  static func move(_ kind: StoreKind, to other: StoreKind) -> Operation {
    SimpleOperation("move-to-\(other.name)", kind, others: [("Moved", other)]) { operation in
      let coordinator = try operation.store.open(version: 0)
      do {
        let place = operation.place("Moved", other)
        if let store = coordinator.persistentStores.first {
          _ = try coordinator.migratePersistentStore(
            store, to: place.url, options: place.options, withType: other.type)
        }
      } catch {
        try? StorePlace.close(coordinator)
        throw error
      }
      try StorePlace.close(coordinator)
    }
  }
}

private class DestroyOperation: Operation {
  override func prepare() throws { try WorkerModel.fill(store) }

  /// True: a second run removes files that the first one left beside an empty database.
  override var isRepeatable: Bool { true }

  override func run(_ environment: [String: String]) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: WorkerModel.all[0])
    try coordinator.destroyPersistentStore(at: store.url, ofType: kind.type, options: store.options)
  }
}

private final class StartAgainOperation: DestroyOperation {
  override var otherTexts: [String] { ["Store.sqlite: a database without tables\n", "Store.sqlite: nothing\n"] }

  override func run(_ environment: [String: String]) throws {
    try super.run(environment)
    try goOn(environment)
  }

  /// The application does not ask for the destruction again, since it finds an empty database.
  override func goOn(_ environment: [String: String]) throws { try StorePlace.close(try store.open(version: 0)) }
}

/// An operation of the command-line tool, which runs as a process of its own.
final class ToolOperation: Operation {
  private let arguments: (ToolOperation) -> [String]
  private let others: [String]
  private let output: String?
  private let makesDocument: Bool
  private let repeats: Bool

  /// - Parameters:
  ///   - others: the stores that the tool makes.
  ///   - output: the file or folder that the tool makes.
  init(
    _ name: String, others: [String] = [], output: String? = nil, makesDocument: Bool = false,
    isRepeatable: Bool = false, _ arguments: @escaping (ToolOperation) -> [String]
  ) {
    self.arguments = arguments
    self.others = others
    self.output = output
    self.makesDocument = makesDocument
    repeats = isRepeatable
    super.init("tool-\(name)", .wal)
  }

  override func prepare() throws {
    try WorkerModel.fill(store)
    guard makesDocument else { return }
    let items = (50..<55).map { number -> [String: Any] in
      [
        "id": "Item/p\(number)",
        "attributes": [
          "number": number, "title": "imported", "photo": WorkerModel.photo(number).base64EncodedString(),
        ], "relationships": [String: String](),
      ]
    }
    try JSONSerialization.data(withJSONObject: ["Item": items])
      .write(to: folder.appendingPathComponent("document.json"))
  }

  override var isRepeatable: Bool { repeats }
  /// A repeatable operation destroys the store, and empties it before it removes the file.
  override var otherTexts: [String] { repeats ? ["Store.sqlite: a database without tables\n"] : [] }
  override var stores: [StorePlace] { [store] + others.map { place($0) } }

  override func otherText() throws -> String {
    guard let output else { return "" }
    let url = folder.appendingPathComponent(output)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return "no output" }
    guard isFolder.boolValue else { return try String(contentsOf: url, encoding: .utf8) }
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    // An empty folder is accepted in place of no folder.
    if names.isEmpty { return "no output" }
    return try names.map {
      try $0 + ":\n" + String(contentsOf: url.appendingPathComponent($0), encoding: .utf8)
    }.joined(separator: "\n")
  }

  /// The tool, which SwiftPM puts into the same folder as this program.
  private static let tool = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "coredata")

  /// The exit status of the tool, and its error output.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  override func run(_ environment: [String: String]) throws {
    let process = Process(), errors = Pipe()
    process.executableURL = Self.tool
    process.arguments = ["store"] + arguments(self)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let identifier = process.processIdentifier
    let guardian = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(900), execute: guardian)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guardian.cancel()
    if process.terminationReason == .uncaughtSignal {
      throw Crash(description: "the tool ended with signal \(process.terminationStatus): \(text)")
    }
    if process.terminationStatus != 0 { throw Failure(description: "status \(process.terminationStatus): \(text)") }
  }

  static var all: [ToolOperation] {
    [
      ToolOperation("copy", others: ["Copy"]) { ["copy", $0.store.url.path, $0.place("Copy").url.path] },
      ToolOperation("export-json", output: "out.json") {
        ["export", $0.store.url.path, "--output", $0.folder.appendingPathComponent("out.json").path]
      },
      ToolOperation("export-csv", output: "out") {
        ["export", $0.store.url.path, "--format", "csv", "--output", $0.folder.appendingPathComponent("out").path]
      },
      ToolOperation("import", makesDocument: true) {
        ["import", $0.store.url.path, $0.folder.appendingPathComponent("document.json").path]
      },
      ToolOperation("destroy", isRepeatable: true) { ["destroy", $0.store.url.path, "--yes"] },
    ]
  }
}

/// The error that a program was ended by a signal, also one that was sent because the program hung.
struct Crash: Error, CustomStringConvertible {
  let description: String
}
