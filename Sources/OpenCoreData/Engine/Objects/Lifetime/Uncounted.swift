/// A reference that is not counted, to an object that another reference keeps alive for as long as this one is used.
///
/// To count a reference is an atomic operation, which takes longer than to read a value of a row. Accessors, fetches and
/// saves look into rows, layouts and identity maps by references of this type.
package struct Uncounted<Referent: AnyObject>: Equatable {
  private let reference: Unmanaged<Referent>

  @inline(__always)
  package init(_ referent: Referent) { reference = Unmanaged.passUnretained(referent) }

  @inline(__always)
  package init(_ reference: Unmanaged<Referent>) { self.reference = reference }

  /// Looks into the object. A reference that `body` lets out is counted as usual.
  @inline(__always)
  package func read<Result>(_ body: (Referent) throws -> Result) rethrows -> Result {
    try reference._withUnsafeGuaranteedRef(body)
  }

  /// The object, by a reference that is counted.
  @inline(__always)
  package var counted: Referent { reference.takeUnretainedValue() }

  /// Whether both refer to the same object.
  @inline(__always)
  package static func == (left: Uncounted, right: Uncounted) -> Bool {
    left.reference.toOpaque() == right.reference.toOpaque()
  }

  /// Whether the object is `other`.
  @inline(__always)
  package func isReference(to other: ObjectIdentifier) -> Bool {
    UInt(bitPattern: reference.toOpaque()) == UInt(bitPattern: other)
  }
}
