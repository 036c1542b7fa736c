extension NSPersistentStore {
  /// A kind of store.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// Kinds are told apart by their names.
    public typealias RawValue = String

    /// The name of the kind, as `addPersistentStore(ofType:...)` takes it.
    public var rawValue: String

    /// The kind of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database in Apple's format.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)

    /// An XML file in Apple's format.
    public static let xml = StoreType(rawValue: NSXMLStoreType)

    /// A binary file in a format of our own.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)

    /// A store that is gone when it is removed from its coordinator.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}
