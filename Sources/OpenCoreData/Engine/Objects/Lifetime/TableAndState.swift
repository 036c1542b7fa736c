/// The identity map that knows an object, and the object's flags, in one word, since there may be millions of objects.
///
/// Addresses have 48 bits, the last four of which are zero, as `canHold` checks: 20 bits are left for flags.
struct TableAndState {
  /// The address without its last four bits; above that the flags.
  private var word = UInt64(ObjectState.hasNoRow.rawValue) << Self.addressBits

  private static let addressBits: UInt64 = 44
  private static let unusedBits: UInt64 = 4

  /// Whether a word has room for an object's address. Every identity map checks its own.
  static func canHold(_ object: IdentityMap) -> Bool {
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    return address & (1 << unusedBits - 1) == 0 && address >> (addressBits + unusedBits) == 0
  }

  @inline(__always)
  var state: ObjectState {
    get { ObjectState(rawValue: UInt32(truncatingIfNeeded: word >> Self.addressBits)) }
    set { word = word & (1 << Self.addressBits - 1) | UInt64(newValue.rawValue) << Self.addressBits }
  }

  /// The map, retained by hand.
  @inline(__always)
  var table: Unmanaged<IdentityMap>? {
    let address = UInt((word << (64 - Self.addressBits)) >> (64 - Self.addressBits - Self.unusedBits))
    return UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  /// Replaces the map and lets go of the old one.
  @inline(__always)
  mutating func set(_ new: IdentityMap?) { set(retained: new.map(Unmanaged.passRetained)) }

  /// The same with a reference that has been retained.
  @inline(__always)
  mutating func set(retained new: Unmanaged<IdentityMap>?) {
    let old = table
    let address = new.map { UInt64(UInt(bitPattern: $0.toOpaque())) } ?? 0
    word = word & ~(1 << Self.addressBits - 1) | address >> Self.unusedBits
    old?.release()
  }
}
