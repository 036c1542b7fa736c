/// Puts the floors of the framework together: only this place names the classes that the engine uses without knowing
/// them.
enum CompositionRoot {
  static let engineParts = EngineParts(
    storeClasses: [
      NSSQLiteStoreType: SQLiteStore.self, NSInMemoryStoreType: InMemoryStore.self,
      NSXMLStoreType: XMLStore.self, NSBinaryStoreType: BinaryStore.self,
    ],
    keyPathCheck: { KeyPathCheck($0) })
}
