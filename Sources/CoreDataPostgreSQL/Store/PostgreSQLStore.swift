// For the package's trait PostgreSQL: without it this module is empty, and libpq is neither needed nor linked.
#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// The type of stores in a PostgreSQL server: the same models, contexts and requests, for programs on several machines
  /// or for more rows than one disk has. Using this constant registers the type.
  ///
  /// ```swift
  /// import CoreDataPostgreSQL
  ///
  /// guard let url = URL(string: "postgresql://app@db.example.org/shop") else { return }
  /// let description = NSPersistentStoreDescription(url: url)
  /// description.type = NSPostgreSQLStoreType
  /// container.persistentStoreDescriptions = [description]
  /// ```
  ///
  /// The URL is libpq's, with several hosts and parameters as libpq takes them. Not in Apple's framework.
  public let NSPostgreSQLStoreType: String = {
    PostgreSQLStore.register()
    return PostgreSQLStore.typeName
  }()

  extension NSPersistentStore.StoreType {
    /// A store in a PostgreSQL server; see `NSPostgreSQLStoreType`. Using this property registers the type.
    public static var postgreSQL: NSPersistentStore.StoreType { .init(rawValue: NSPostgreSQLStoreType) }
  }

  /// Registers the store type for PostgreSQL servers with coordinators.
  public enum PostgreSQLStore {
    static let typeName = "PostgreSQL"

    private static let registration: Void = NSPersistentStoreCoordinator.registerStoreClass(
      ServerStore.self, forStoreType: typeName)

    /// Registers the type "PostgreSQL", for a program that has the type's name only as a string. Calls after the first
    /// have no effect.
    public static func register() { registration }
  }
#endif
