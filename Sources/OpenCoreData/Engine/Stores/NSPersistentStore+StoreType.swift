extension NSPersistentStore {
  /// A kind of store, as newer SDKs name it. For a kind of your own, use the name that its class is registered for.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The name that identifies the kind of store.
    public typealias RawValue = String

    /// The name of the kind, as `addPersistentStore(ofType:...)` takes it.
    public var rawValue: String

    /// Makes the kind with that name.
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
