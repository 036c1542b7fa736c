import CRuntime

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

/// The elements of an array that is kept alive meanwhile, walked without counting references.
struct Borrowed<Element: AnyObject>: RandomAccessCollection {
  private let elements: ContiguousArray<Element>

  init(_ elements: ContiguousArray<Element>) { self.elements = elements }

  var startIndex: Int { 0 }
  var endIndex: Int { elements.count }

  @inline(__always)
  subscript(index: Int) -> Uncounted<Element> {
    precondition(index >= 0 && index < elements.count)
    return elements.withUnsafeBufferPointer { elements in
      // Loads the element's word as it is: reading it as a reference would retain it.
      Uncounted(
        UnsafeRawBufferPointer(elements).load(
          fromByteOffset: index * MemoryLayout<Unmanaged<Element>>.stride, as: Unmanaged<Element>.self))
    }
  }
}

extension ContiguousArray where Element: AnyObject {
  /// Calls `body` with each element and its index, without counting a reference for each.
  @inline(__always)
  func forEachUncounted(_ body: (Int, Element) throws -> Void) rethrows {
    let elements = Borrowed(self)
    for index in 0..<elements.endIndex { try elements[index].read { try body(index, $0) } }
  }
}

extension ContiguousArray {
  /// Calls `body` with each element that is not nil, without counting a reference for each.
  @inline(__always)
  func forEachUncounted<Object: AnyObject>(_ body: (Object) throws -> Void) rethrows where Element == Object? {
    try withUnsafeBufferPointer { buffer in
      try buffer.withMemoryRebound(to: Unmanaged<Object>?.self) { entries in
        for entry in entries { try entry?._withUnsafeGuaranteedRef { try body($0) } }
      }
    }
  }
}

/// References to one object that are counted by one atomic operation, and then given away one by one.
struct ReferencesInAdvance<Referent: AnyObject> {
  /// The object, retained once for each of the references.
  let reference: Unmanaged<Referent>

  /// Counts the references, each of which must be given away.
  init(to referent: Referent, count: UInt32) {
    reference = Unmanaged.passUnretained(referent)
    runtime_retain(reference.toOpaque(), count)
  }

  /// One of the references.
  @inline(__always)
  func take() -> Referent { reference.takeRetainedValue() }
}
