import Foundation
import OpenCocoaFoundation

// Composite attributes: a dictionary of the elements that have a value. Each element that is not composite itself has a
// slot, so that it is read, changed and stored by itself.
extension NSManagedObject {
  /// The elements that have a value, by name; nil when none has.
  final func composite(_ slot: PropertySlot, _ value: (PropertySlot) -> Any?) -> [String: Any]? {
    var result: [String: Any] = [:]
    for element in layout.elements(of: slot) {
      result[element.property.name] = element.kind == .composite ? composite(element, value) : value(element)
    }
    return result.isEmpty ? nil : result
  }

  /// The elements with slots of their own, those of composites inside of the composite included.
  final func leaves(of slot: PropertySlot) -> [PropertySlot] {
    layout.elements(of: slot).flatMap { $0.kind == .composite ? leaves(of: $0) : [$0] }
  }

  /// Sets every element: those that the dictionary leaves out to nil.
  final func setComposite(_ value: Any?, _ slot: PropertySlot) {
    let values = elementValues(value, slot).map {
      ($0, StoredValue.make($1, for: $0, entity: layout.name, isSet: true))
    }
    tellingComposite(slot) { for (element, value) in values { store(value, element) } }
  }

  /// Sets one element; observers of the composite attribute are told.
  final func setElement(_ value: Any?, _ slot: PropertySlot) {
    let value = StoredValue.make(value, for: slot, entity: layout.name, isSet: true)
    tellingComposite(slot) { store(value, slot) }
  }

  final func tellingComposite(_ slot: PropertySlot, _ body: () -> Void) {
    guard state.contains(.observed), let whole = layout.slot(named: slot.name.keysOfPath[0]) else { return body() }
    telling(whole, .setting, body)
  }

  /// The dictionary's value for each leaf of the composite. A key that is no element's name stops the program, as does
  /// a value that is no dictionary.
  final func elementValues(_ value: Any?, _ slot: PropertySlot) -> [(PropertySlot, Any?)] {
    if let problem = dictionaryProblem(value, slot) {
      raise(.invalidArgument, problem + " " + StoredValue.checkedWay)
    }
    let values = StoredValue.unwrapped(value) as? [String: Any] ?? [:]
    let elements = layout.elements(of: slot)
    return elements.flatMap { element in
      let value = values[element.property.name]
      return element.kind == .composite ? elementValues(value, element) : [(element, value)]
    }
  }

  /// The reason why a value cannot be set for a composite attribute, apart from its elements; nil for a dictionary, and
  /// for nil.
  final func dictionaryProblem(_ value: Any?, _ slot: PropertySlot) -> String? {
    guard let value = StoredValue.unwrapped(value) else { return nil }
    guard let values = value as? [String: Any] else {
      let shown = slot.property.hasSecretValues ? SecretAttributes.redacted : ValueText.of(value)
      return
        "Unacceptable type of value for attribute: property = \"\(slot.name)\"; desired type = a dictionary with names "
        + "as keys; given type = \(type(of: value)); value = \(shown); entity = \(layout.name)."
    }
    let elements = layout.elements(of: slot)
    return values.keys.first { name in !elements.contains { $0.property.name == name } }.map {
      "Unacceptable value for composite attribute: property = \"\(slot.name)\" of entity \(layout.name) has no element "
        + "\"\($0)\"."
    }
  }

  final func setModelledValue(_ value: Any?, forKeyPath keyPath: String) {
    checkQueue(keyPath)
    if let slot = layout.slot(named: keyPath), slot.isElement { return setBoxed(value, slot) }
    let keys = keyPath.keysOfPath
    guard keys.count > 2, layout.slot(named: keys[0])?.kind == .toOne else {
      return KeyValueCoding.setValue(value, of: self, forKeyPath: keyPath)
    }
    // The object at the other end knows its composites. Through nil nothing is set.
    var object = self
    var rest = keys[...]
    while rest.count > 2, let key = rest.first, object.layout.slot(named: key)?.kind == .toOne {
      guard let next = object.value(forKey: key) as? NSManagedObject else { return }
      object = next
      rest = rest.dropFirst()
    }
    object.setValue(value, forKeyPath: rest.joined(separator: "."))
  }
}
