import Foundation
import OpenCocoaFoundation

/// The members of a managed object class that generated code lists, divided by how the entity declares their keys.
package struct ListedMembers: Sendable {
  /// The properties whose keys the entity does not have: computed ones, mostly.
  let computed: [String: OCDKeyValueProperty]
  /// Properties that are exposed to Objective-C under keys that the entity has: custom accessors.
  let accessors: [String: OCDKeyValueProperty]
  /// Methods without arguments, which key-value coding reads as properties, under keys that the entity does not have.
  let getters: [String: OCDCallableMethod]
  /// The names of the transient attributes whose changes leave their object unchanged.
  let ignoredKeys: Set<String>
  let ignoresAny: Bool

  init(_ type: NSManagedObject.Type, _ slots: ContiguousArray<PropertySlot>, _ entity: NSEntityDescription) {
    let table = ClassMembers.table(of: type)
    // Most classes list nothing, and a model may have a thousand entities.
    let modelled = table.properties.isEmpty && table.methods.isEmpty ? [:] : entity.propertiesByName
    computed = table.properties.filter { modelled[$0.key] == nil }
    accessors = table.properties.filter { modelled[$0.key] != nil && table.exposed.contains($0.key) }
    getters = table.methods.filter { !$0.key.contains(":") && modelled[$0.key] == nil }
    ignoredKeys =
      table.ignoresAnyChanges
      ? Set(slots.lazy.filter { $0.isTransient && table.ignoresChanges(for: $0.name) }.map(\.name)) : []
    ignoresAny = !ignoredKeys.isEmpty
  }
}

/// A call of a custom accessor by key-value coding.
struct AccessorCall: Equatable {
  let object: ObjectIdentifier
  let key: String
}

extension NSManagedObject {
  /// The value of the class's custom accessor for a modelled key; nil where there is no such accessor.
  ///
  /// An accessor that asks for its own key by key-value coding gets the modelled value, so that it does not call itself.
  final func accessorValue(_ key: String) -> Any?? {
    guard let accessor = layout.listed.accessors[key] else { return nil }
    return calling(key) { accessor.value(of: self) }
  }

  /// Sets a modelled key by the class's custom accessor; gives false where there is none.
  final func setByAccessor(_ value: Any?, _ key: String) -> Bool {
    guard let accessor = layout.listed.accessors[key], accessor.isSettable else { return false }
    return calling(key) {
      if let assignment = accessor.assignment(of: value, to: self) { assignment() } else { setNilValueForKey(key) }
      return true
    } ?? false
  }

  private final func calling<Result>(_ key: String, _ body: () -> Result) -> Result? {
    guard let context = table?.context else { return body() }
    let call = AccessorCall(object: ObjectIdentifier(self), key: key)
    if context.accessorCalls.contains(call) { return nil }
    context.accessorCalls.append(call)
    defer { context.accessorCalls.removeLast() }
    return body()
  }

  /// Sets a property that the class has and the entity does not; gives false where there is none, or it cannot be set.
  final func setComputed(_ value: Any?, _ key: String) -> Bool {
    guard let property = layout.listed.computed[key], property.isSettable else { return false }
    KeyValueCoding.setListedValue(value, of: self, property)
    return true
  }

  /// Whether a change of that property leaves the object unchanged.
  @inline(__always)
  final func ignoresChanges(_ slot: PropertySlot) -> Bool {
    slot.isTransient && layout.listed.ignoresAny && layout.listed.ignoredKeys.contains(slot.name)
  }
}
