/// What the engine uses of the floors above it, and does not name: their composition root hands it in.
struct EngineParts: Sendable {
  /// The classes of the framework's own kinds of stores, by type.
  let storeClasses: [String: NSPersistentStore.Type]
  /// Makes the check of key paths in fetches of these entities.
  let keyPathCheck: @Sendable ([NSEntityDescription]) -> any KeyPathChecking

  /// Those of this framework. Swift has no code that runs when a module is loaded, so one reference leads up.
  static let own = CompositionRoot.engineParts
}
