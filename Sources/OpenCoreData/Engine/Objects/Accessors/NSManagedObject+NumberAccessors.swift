import Foundation

// Numbers and Booleans behind `@NSManaged`. A nil in the row reads as 0 or false.

extension NSManagedObject {
  /// The value of an integer attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Int16 {
    Int16(truncatingIfNeeded: integer(key, "Int16"))
  }

  /// Sets an integer attribute; a value out of the attribute's range stops the program.
  public final func _setManagedValue(_ value: Int16, _ key: _PropertyKey) { setInteger(Int64(value), key) }

  /// The value of an integer attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Int32 {
    Int32(truncatingIfNeeded: integer(key, "Int32"))
  }

  /// Sets an integer attribute; a value out of the attribute's range stops the program.
  public final func _setManagedValue(_ value: Int32, _ key: _PropertyKey) { setInteger(Int64(value), key) }

  /// The value of an integer attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Int64 {
    Int64(truncatingIfNeeded: integer(key, "Int64"))
  }

  /// Sets an integer attribute; a value out of the attribute's range stops the program.
  public final func _setManagedValue(_ value: Int64, _ key: _PropertyKey) { setInteger(Int64(value), key) }

  /// The value of an integer attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Int {
    Int(truncatingIfNeeded: integer(key, "Int"))
  }

  /// Sets an integer attribute; a value out of the attribute's range stops the program.
  public final func _setManagedValue(_ value: Int, _ key: _PropertyKey) { setInteger(Int64(value), key) }

  /// The value of a Boolean attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Bool { integer(key, "Bool") != 0 }

  /// Sets a Boolean attribute.
  public final func _setManagedValue(_ value: Bool, _ key: _PropertyKey) { setInteger(value ? 1 : 0, key) }

  /// The value of a floating-point attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Double { floating(key, "Double") }

  /// Sets a floating-point attribute, or a date as its seconds since the reference date.
  public final func _setManagedValue(_ value: Double, _ key: _PropertyKey) {
    checkQueue(key.name)
    if storesFloatingDirectly(value, key) { return }
    let slot = requiredSlot(key)
    switch slot.kind {
    case .double, .date: setValue(.double(Double(value)), slot)
    case .float: setValue(.double(Double(Float(value))), slot)
    default: setBoxed(NSNumber(value: value), slot)
    }
  }

  /// The value of a floating-point attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Float { Float(floating(key, "Float")) }

  /// Sets a floating-point attribute.
  public final func _setManagedValue(_ value: Float, _ key: _PropertyKey) {
    let slot = requiredSlot(key)
    switch slot.kind {
    case .double: setValue(.double(Double(value)), slot)
    case .float: setValue(.double(Double(Float(value))), slot)
    default: setBoxed(NSNumber(value: value), slot)
    }
  }
}
