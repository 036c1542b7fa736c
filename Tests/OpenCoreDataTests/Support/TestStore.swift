import CoreData
@_spi(Store) import OpenCoreData
import Testing

#if PostgreSQL
  import CoreDataPostgreSQL
  import PostgreSQLTestServer
#endif

/// A kind of store that tests make their stacks with.
///
/// A test of Core Data's behaviour takes its kind of store as an argument: `@Test(arguments: TestStore.all)`. What it
/// needs beside objects that are saved and fetched it names, as `TestStore.all(that: .batchUpdates)`: features that stores
/// declare. A test of SQLite's own ways, as statements, their number, files and tables, makes its stack by
/// `TestModel.coordinator`, which names SQLite; so does one that runs in a process of its own, since an exit test takes no
/// argument with it.
struct TestStore: Sendable, CustomTestStringConvertible {
  let name: String
  let type: String
  /// Whether rows are in tables and requests become SQL. So what SQL cannot say is refused, not evaluated; pages of a result
  /// are read when they are looked at; a read transaction shows one state.
  let isOfTables: Bool
  /// Whether strings may have the character U+0000.
  var holdsNUL = true
  /// Makes the place of a new store; nil for a store without one.
  private let makePlace: @Sendable () throws -> URL?
  /// Where a store is that is gone with its coordinator.
  private let privatePlace: @Sendable () throws -> URL?

  var testDescription: String { name }

  // MARK: The kinds

  static let sqlite = TestStore(
    name: "sqlite", type: NSSQLiteStoreType, isOfTables: true, makePlace: { try TestModel.temporaryFile() },
    privatePlace: { URL(fileURLWithPath: "/dev/null") })

  static let inMemory = TestStore(
    name: "memory", type: NSInMemoryStoreType, isOfTables: false, makePlace: { nil }, privatePlace: { nil })

  #if PostgreSQL
    static let postgreSQL = TestStore(
      name: "postgresql", type: NSPostgreSQLStoreType, isOfTables: true, holdsNUL: false,
      makePlace: { try TestPlace.new() },
      privatePlace: { try TestPlace.new() })
  #endif

  /// The kinds that tests run on: those that the environment variable `TEST_STORES` names, with commas between them.
  static let all: [TestStore] = {
    var kinds = [sqlite, inMemory]
    #if PostgreSQL
      // Where no server is installed the tests run on the other kinds.
      if PostgreSQLServer.isInstalled { kinds.append(postgreSQL) }
    #endif
    guard let wanted = ProcessInfo.processInfo.environment["TEST_STORES"]?.split(separator: ",") else { return kinds }
    let chosen = kinds.filter { wanted.contains(Substring($0.name)) }
    precondition(!chosen.isEmpty, "TEST_STORES names none of \(kinds.map(\.name).joined(separator: ", ")).")
    return chosen
  }()

  /// Those that declare features. A store is opened for the answer, since the declaration is the store's.
  static func all(that abilities: OCDStoreAbility...) -> [TestStore] {
    all.filter { $0.abilities.isSuperset(of: abilities) }
  }

  /// Those whose rows are in tables.
  static var ofTables: [TestStore] { all.filter(\.isOfTables) }

  /// Those whose strings may have the character U+0000.
  static var holdingNUL: [TestStore] { all.filter(\.holdsNUL) }

  /// What a store of the kind declares; nothing where it cannot even be opened, so that the tests are missed.
  private var abilities: Set<OCDStoreAbility> {
    guard let place = try? place() else { return declared(nil) }
    defer { remove(place) }
    return declared(place)
  }

  private func declared(_ place: URL?) -> Set<OCDStoreAbility> {
    let store = try? coordinator(NSManagedObjectModel(), url: place).persistentStores.first
    return store?.abilities ?? []
  }

  // MARK: Stacks

  /// The place of a new store, for a test that opens it more than once or wants it to outlive its coordinator.
  func place() throws -> URL? { try makePlace() }

  /// Removes what is at a place.
  func remove(_ place: URL?) {
    // The schemas of a server go with it, at the end of the process.
    guard let place, place.isFileURL else { return }
    try? FileManager.default.removeItem(at: place.deletingLastPathComponent())
  }

  /// A coordinator with one store of `model`: a private one, or the one at a place.
  func coordinator(_ model: NSManagedObjectModel, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try add(to: coordinator, url: url)
    return coordinator
  }

  /// Adds a store of this kind to a coordinator: a private one, or the one at a place.
  @discardableResult
  func add(
    to coordinator: NSPersistentStoreCoordinator, configuration: String? = nil, url: URL? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSPersistentStore {
    try coordinator.addPersistentStore(
      ofType: type, configurationName: configuration, at: try url ?? privatePlace(), options: options)
  }
}
