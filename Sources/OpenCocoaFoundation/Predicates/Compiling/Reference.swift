import Foundation

/// The object that an existential of a class refers to, without counting references.
///
/// An existential stores a reference inline, so it can be read from there. A cast takes several times as long.
struct Reference {
  private let address: UnsafeRawPointer?

  /// - Parameter value: A value of any type. `read` may be called only if its type is a subclass of NSObject.
  @inline(__always)
  init(_ value: Any) {
    // The compiler opens the existential for the call: the bytes are those of the value itself, which may be few.
    address = withUnsafeBytes(of: value) { bytes in
      bytes.count >= MemoryLayout<UInt>.size ? UnsafeRawPointer(bitPattern: bytes.loadUnaligned(as: UInt.self)) : nil
    }
  }

  @inline(__always)
  func read<Result>(_ body: (NSObject) -> Result) -> Result {
    // The caller has checked the class, so there is an address.
    Unmanaged<NSObject>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef(body)
  }
}
