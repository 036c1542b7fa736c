import Foundation
import OpenCocoaFoundation

// Dates, bytes, identifiers and boxed numbers behind `@NSManaged`.

extension NSManagedObject {
  /// The value of any attribute through its boxed form.
  public final func _managedValue(_ key: _PropertyKey) -> NSNumber? { object(key, "NSNumber") as? NSNumber }

  /// Sets a number attribute.
  public final func _setManagedValue(_ value: NSNumber?, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a decimal attribute.
  @_disfavoredOverload  // or a property of type NSNumber would take it, as the more special one
  public final func _managedValue(_ key: _PropertyKey) -> NSDecimalNumber? {
    guard let number = object(key, "NSDecimalNumber") as? NSNumber else { return nil }
    // An attribute of integers may be declared as a decimal number, too.
    return number as? NSDecimalNumber ?? NSDecimalNumber(decimal: number.exactDecimal)
  }

  /// The value of a decimal attribute that the class declares without optional; nil stops the program.
  @_disfavoredOverload
  public final func _managedValue(_ key: _PropertyKey, _: Void = ()) -> NSDecimalNumber {
    let value: NSDecimalNumber? = _managedValue(key)
    guard let value else { missingValue(key, "NSDecimalNumber") }
    return value
  }

  /// The value of a number attribute that the class declares without optional; nil stops the program.
  public final func _managedValue(_ key: _PropertyKey, _: Void = ()) -> NSNumber {
    guard let value = object(key, "NSNumber") as? NSNumber else { missingValue(key, "NSNumber") }
    return value
  }

  /// Sets a decimal attribute.
  public final func _setManagedValue(_ value: NSDecimalNumber?, _ key: _PropertyKey) {
    setBoxed(value, requiredSlot(key))
  }

  /// The value of a Date attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Date? { object(key, "Date") as? Date }

  /// Sets a Date attribute.
  public final func _setManagedValue(_ value: Date?, _ key: _PropertyKey) {
    checkQueue(key.name)
    if let value, storesDateDirectly(value, key) { return }
    setBoxed(value, requiredSlot(key))
  }

  /// The value of a Date attribute that the class declares without optional; its zero for nil.
  public final func _managedValue(_ key: _PropertyKey) -> Date {
    let value: Date? = _managedValue(key)
    return value ?? Date(timeIntervalSinceReferenceDate: 0)
  }

  /// Sets a Date attribute that the class declares without optional.
  public final func _setManagedValue(_ value: Date, _ key: _PropertyKey) { _setManagedValue(Optional(value), key) }

  /// The value of a Data attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Data? { object(key, "Data") as? Data }

  /// Sets a Data attribute.
  public final func _setManagedValue(_ value: Data?, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a Data attribute that the class declares without optional; its zero for nil.
  public final func _managedValue(_ key: _PropertyKey) -> Data {
    let value: Data? = _managedValue(key)
    return value ?? Data()
  }

  /// Sets a Data attribute that the class declares without optional.
  public final func _setManagedValue(_ value: Data, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a UUID attribute.
  public final func _managedValue(_ key: _PropertyKey) -> UUID? { object(key, "UUID") as? UUID }

  /// Sets a UUID attribute.
  public final func _setManagedValue(_ value: UUID?, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a UUID attribute that the class declares without optional; its zero for nil.
  public final func _managedValue(_ key: _PropertyKey) -> UUID {
    let value: UUID? = _managedValue(key)
    return value ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Sets a UUID attribute that the class declares without optional.
  public final func _setManagedValue(_ value: UUID, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a URL attribute.
  public final func _managedValue(_ key: _PropertyKey) -> URL? { object(key, "URL") as? URL }

  /// Sets a URL attribute.
  public final func _setManagedValue(_ value: URL?, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a URL attribute that the class declares without optional; nil in the row stops the program.
  public final func _managedValue(_ key: _PropertyKey) -> URL {
    guard let value: URL = _managedValue(key) else { missingValue(key, "URL") }
    return value
  }

  /// Sets a URL attribute that the class declares without optional.
  public final func _setManagedValue(_ value: URL, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a Decimal attribute.
  public final func _managedValue(_ key: _PropertyKey) -> Decimal? {
    (object(key, "Decimal") as? NSNumber)?.exactDecimal
  }

  /// Sets a Decimal attribute.
  public final func _setManagedValue(_ value: Decimal?, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a Decimal attribute that the class declares without optional; its zero for nil.
  public final func _managedValue(_ key: _PropertyKey) -> Decimal {
    let value: Decimal? = _managedValue(key)
    return value ?? Decimal(0)
  }

  /// Sets a Decimal attribute that the class declares without optional.
  public final func _setManagedValue(_ value: Decimal, _ key: _PropertyKey) { setBoxed(value, requiredSlot(key)) }

  /// The value of a property whose type is a base of several that have functions of their own: `NSObject?`, `Any?`.
  public final func _managedObject<Value>(_ key: _PropertyKey) -> Value? {
    guard let value = value(forKey: key.name) else { return nil }
    return value as? Value
  }

  // The unused parameter makes the compiler prefer the optional forms where both fit.

  /// The value of a property of a base type, such as `NSObject`, that the class declares without optional; nil stops the
  /// program.
  public final func _managedObject<Value>(_ key: _PropertyKey, _: Void = ()) -> Value {
    guard let value = value(forKey: key.name) as? Value else { missingValue(key, "\(Value.self)") }
    return value
  }

  /// The value of a property of any other type that the class declares without optional; nil stops the program.
  @_disfavoredOverload
  public final func _managedValue<Value>(_ key: _PropertyKey, _: Void = ()) -> Value {
    guard let value = value(forKey: key.name) as? Value else { missingValue(key, "\(Value.self)") }
    return value
  }

  /// The value of a property of any other type: an object of a transient attribute, or an enumeration's raw value.
  @_disfavoredOverload
  public final func _managedValue<Value>(_ key: _PropertyKey) -> Value? {
    value(forKey: key.name) as? Value
  }

  /// Sets a property of any other type.
  @_disfavoredOverload
  public final func _setManagedValue<Value>(_ value: Value?, _ key: _PropertyKey) {
    setValue(value as Any?, forKey: key.name)
  }

  /// The value of an attribute that the class declares as an enumeration with an integer raw value.
  public final func _managedValue<Value: RawRepresentable>(_ key: _PropertyKey) -> Value
  where Value.RawValue: FixedWidthInteger {
    let raw = Value.RawValue(truncatingIfNeeded: integer(key, "an enumeration"))
    guard let value = Value(rawValue: raw) else { missingValue(key, "\(Value.self), raw value \(raw)") }
    return value
  }

  /// Sets an attribute that the class declares as an enumeration with an integer raw value.
  public final func _setManagedValue<Value: RawRepresentable>(_ value: Value, _ key: _PropertyKey)
  where Value.RawValue: FixedWidthInteger {
    setInteger(Int64(truncatingIfNeeded: value.rawValue), key)
  }
}
