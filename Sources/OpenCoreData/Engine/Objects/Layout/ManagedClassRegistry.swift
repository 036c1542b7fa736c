import Foundation
import OpenCocoaFoundation
import Synchronization

/// Registers a module's managed object classes and key paths; generated code calls it before `main`.
///
/// The closures run at most once, when a class or a key path's name is first looked for.
/// - Parameters:
///   - name: the module's name.
///   - classes: the bare name and the type of each NSManagedObject subclass.
///   - keyPaths: each managed property's key path and name.
///   - validators: the classes' `validate<Key>` methods.
public func _registerManagedModule(
  name: StaticString, classes: @escaping @Sendable () -> [(String, NSManagedObject.Type)],
  keyPaths: @escaping @Sendable () -> [(AnyKeyPath, String)],
  validators: @escaping @Sendable () -> [_ManagedValidator] = { [] }
) {
  ManagedClassRegistry.add(
    module: name.description, classes: classes, keyPaths: keyPaths, validators: validators)
}

/// Finds the Swift class that a model names, with or without its module.
enum ManagedClassRegistry {
  private struct State {
    var pending: [@Sendable () -> (module: String, classes: [(String, NSManagedObject.Type)])] = []
    /// The registered classes, each under its bare and its qualified name.
    var classes: [String: NSManagedObject.Type] = [:]
    var pendingValidators: [@Sendable () -> [_ManagedValidator]] = []
    var validators: [_ManagedValidator] = []

    mutating func readPending() {
      for module in pending {
        let (moduleName, classes) = module()
        for (bare, type) in classes {
          self.classes["\(moduleName).\(bare)"] = type
          self.classes[bare] = self.classes[bare] ?? type
        }
      }
      pending = []
    }
  }
  private static let state = Mutex(State())

  static func add(
    module: String, classes: @escaping @Sendable () -> [(String, NSManagedObject.Type)],
    keyPaths: @escaping @Sendable () -> [(AnyKeyPath, String)],
    validators: @escaping @Sendable () -> [_ManagedValidator]
  ) {
    state.withLock {
      $0.pending.append { (module, classes()) }
      $0.pendingValidators.append(validators)
    }
    KeyPathNames.register(lazily: keyPaths)
    ClassNames.find { registered($0) }
  }

  /// The class of that name: `Photo`, `.Photo` (the program's module) or `Module.Photo`; nil when there is none.
  static func find(_ name: String) -> NSManagedObject.Type? {
    readModuleRegistrations()
    let known = state.withLock { state -> NSManagedObject.Type? in
      state.readPending()
      let bare = name.hasPrefix(".") ? String(name.dropFirst()) : name
      return state.classes[bare] ?? bare.split(separator: ".").last.flatMap { state.classes[String($0)] }
    }
    if let known { return known }
    if name.contains(".") { return swiftClass(name) as? NSManagedObject.Type }
    let main = Bundle.main.executableURL?.lastPathComponent.replacingOccurrences(of: "-", with: "_") ?? ""
    return swiftClass("\(main).\(name)") as? NSManagedObject.Type
  }

  /// The class that is called `Module.Class`. Classes inside other types, and those of a program with a dot in its name,
  /// as test bundles have, cannot be found by their names, and Foundation complains on stderr when it is asked for them.
  static func swiftClass(_ name: String) -> AnyClass? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? Foundation.NSClassFromString(name) : nil
  }

  /// The class that generated code has registered under the name, with or without its module.
  private static func registered(_ name: String) -> NSManagedObject.Type? {
    state.withLock { state in
      state.readPending()
      return state.classes[name]
    }
  }

  /// The modules that have managed object classes.
  static var modules: Set<String> {
    readModuleRegistrations()
    return state.withLock { state in
      state.readPending()
      return Set(
        state.classes.keys.filter { $0.contains(".") }.compactMap { $0.split(separator: ".").first.map(String.init) })
    }
  }

  /// The class for an entity's objects: the class that the entity's class name finds, else its superentity's, else
  /// NSManagedObject.
  static func objectClass(for entity: NSEntityDescription) -> NSManagedObject.Type {
    var current: NSEntityDescription? = entity
    while let candidate = current {
      if let name = candidate.managedObjectClassName, name != "NSManagedObject", let type = find(name) { return type }
      current = candidate.superentity
    }
    return NSManagedObject.self
  }

  /// The `validate<Key>` methods of a class and its superclasses, by the name of the property.
  static func validators(
    of type: NSManagedObject.Type, for slots: ContiguousArray<PropertySlot>
  ) -> [String: _ManagedValidator.Check] {
    readModuleRegistrations()
    let all = state.withLock { state in
      for validators in state.pendingValidators { state.validators += validators() }
      state.pendingValidators = []
      return state.validators
    }
    var result: [String: _ManagedValidator.Check] = [:]
    for validator in all where validator.isOf(type) {
      // The class dispatches to overrides, so it does not matter which of several listed methods of a name is kept.
      guard let slot = slots.first(where: { !$0.isElement && validator.validates($0.name) }) else { continue }
      result[slot.name] = validator.check
    }
    return result
  }
}
