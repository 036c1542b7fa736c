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
