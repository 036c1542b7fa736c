extension NSPersistentStore {
  /// A kind of store, as newer SDKs name it; types of your own are made of the name that their class is registered for.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// Kinds are told apart by their names.
    public typealias RawValue = String

    /// The name of the kind, as `addPersistentStore(ofType:...)` takes it.
    public var rawValue: String

    /// The kind of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A SQLite database in Apple's format: `NSSQLiteStoreType`.
    public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)

    /// An XML file in Apple's format, read and written as a whole: `NSXMLStoreType`.
    public static let xml = StoreType(rawValue: NSXMLStoreType)

    /// A binary file in a format of our own, read and written as a whole (D-STO-15): `NSBinaryStoreType`.
    public static let binary = StoreType(rawValue: NSBinaryStoreType)

    /// A store that is gone when it is removed from its coordinator: `NSInMemoryStoreType`.
    public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
  }
}
