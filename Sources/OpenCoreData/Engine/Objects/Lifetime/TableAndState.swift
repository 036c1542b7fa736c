/// The identity map that knows an object, and the object's flags, in one word, since there may be millions of objects.
///
/// Addresses have 48 bits, the last four of which are zero, as `canHold` checks: 20 bits are left for flags.
///
/// The word is shared because any thread may ask for the object's ID, which needs the map, while the queue changes the flags
/// beside it.
struct TableAndState: ~Copyable {
  /// The address without its last four bits; above that the flags.
  private let word = SharedWord(UInt64(ObjectState.hasNoRow.rawValue) << Self.addressBits)

  private static let addressBits: UInt64 = 44
  private static let unusedBits: UInt64 = 4

  /// Whether a word has room for an object's address. Every identity map checks its own.
  static func canHold(_ object: IdentityMap) -> Bool {
    let address = UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    return address & (1 << unusedBits - 1) == 0 && address >> (addressBits + unusedBits) == 0
  }

  @inline(__always)
  var state: ObjectState {
    get { ObjectState(rawValue: UInt32(truncatingIfNeeded: word.own >> Self.addressBits)) }
    nonmutating set {
      assert(newValue.rawValue >> (UInt64.bitWidth - Int(Self.addressBits)) == 0, "The word has no room for a flag.")
      let address = word.own & (1 << Self.addressBits - 1)
      word.own = address | UInt64(newValue.rawValue) << Self.addressBits
    }
  }

  /// The map; for the context's queue.
  @inline(__always)
  var table: Uncounted<IdentityMap>? { heldTable.map { Uncounted($0) } }

  /// The same for every thread that has a reference to the object: a map that the queue takes away meanwhile is kept by its
  /// successor.
  @inline(__always)
  var sharedTable: Uncounted<IdentityMap>? { Self.table(in: word.shared).map { Uncounted($0) } }

  /// The map, retained by hand.
  @inline(__always)
  private var heldTable: Unmanaged<IdentityMap>? { Self.table(in: word.own) }

  @inline(__always)
  private static func table(in word: UInt64) -> Unmanaged<IdentityMap>? {
    let address = UInt((word << (64 - Self.addressBits)) >> (64 - Self.addressBits - Self.unusedBits))
    return UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0) }
  }

  /// Replaces the map. The new one keeps the old one, which another thread may be about to retain.
  @inline(__always)
  func set(_ new: IdentityMap?) { set(retained: new.map(Unmanaged.passRetained)) }

  /// Replaces the map and uses one of the references that were counted in advance.
  @inline(__always)
  func set(_ references: ReferencesInAdvance<IdentityMap>) { set(retained: references.reference) }

  @inline(__always)
  private func set(retained new: Unmanaged<IdentityMap>?) {
    let old = heldTable
    let address = new.map { UInt64(UInt(bitPattern: $0.toOpaque())) } ?? 0
    let flags = word.own & ~(1 << Self.addressBits - 1)
    word.own = flags | address >> Self.unusedBits
    guard let old else { return }
    if let new { new._withUnsafeGuaranteedRef { $0.keep(old) } }
    old.release()
  }

  /// Has the map forget an object that is being released, and releases the map.
  @inline(__always)
  func leave(_ object: ObjectIdentifier, _ key: Int64) {
    guard let heldTable else { return }
    heldTable._withUnsafeGuaranteedRef { $0.remove(object, key) }
    heldTable.release()
  }
}
