/// Puts the floors of the framework together: the one place that names what the engine uses without naming it.
enum CompositionRoot {
  static let engineParts = EngineParts(
    storeClasses: [
      NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: InMemoryStore.self,
      NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
    ],
    keyPathCheck: { KeyPathCheck($0) })
}
