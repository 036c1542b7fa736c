/// Parts of the layers above the engine that the engine uses without naming them: the composition root hands them in.
struct EngineParts: Sendable {
  /// The classes of the framework's own kinds of stores, by type.
  let storeClasses: [String: NSPersistentStore.Type]
  /// Makes the check of key paths in fetches of these entities.
  let keyPathCheck: @Sendable ([NSEntityDescription]) -> any KeyPathChecking

  /// The parts of this framework. Swift has no code that runs when a module is loaded, so this one reference leads to a
  /// layer above.
  static let own = CompositionRoot.engineParts
}
