import Foundation

/// The values by which one descriptor sorts the objects of an array, each of which is read once.
struct SortColumn {
  private enum Values {
    case numbers(ContiguousArray<PlacedNumber>)
    /// Texts, folded if the order ignores case.
    case texts(ContiguousArray<String?>, StringOrder)
    case operands(ContiguousArray<Operand>)
  }

  private let values: Values
  private let descriptor: KeyedSortDescriptor

  var isAscending: Bool { descriptor.ascending }

  /// Reads the values of all descriptors. Those that key-value coding reads are read object by object.
  ///
  /// - Throws: `OCDEvaluationError` for a key that an object does not have.
  static func columns(of objects: some Collection, by descriptors: [KeyedSortDescriptor]) throws -> [SortColumn] {
    let placed = descriptors.map { Self.placed(objects, $0) }
    let others = descriptors.indices.filter { placed[$0] == nil }
    var operands = [ContiguousArray<Operand>](repeating: [], count: descriptors.count)
    if !others.isEmpty {
      for object in objects {
        for place in others { operands[place].append(Operand(try descriptors[place].value(of: object))) }
      }
    }
    return descriptors.indices.map {
      SortColumn(values: placed[$0] ?? .operands(operands[$0]), descriptor: descriptors[$0])
    }
  }

  /// Reads values without key-value coding.
  ///
  /// - Returns: nil if an object refuses, for example because it is a fault, or if the objects are not all of one shape.
  private static func placed(_ objects: some Collection, _ descriptor: KeyedSortDescriptor) -> Values? {
    guard let first = objects.first, let entry = descriptor.readers.made(for: first, descriptor.reader),
      let reader = entry.read({ $0 })
    else { return nil }
    switch reader {
    case .integer(let read), .real(let read), .date(let read):
      var numbers: ContiguousArray<PlacedNumber> = []
      numbers.reserveCapacity(objects.count)
      for object in objects {
        guard entry.isFor(object) else { return nil }
        let number = Reference(object).read(read)
        if case .refused = number { return nil }
        numbers.append(number)
      }
      return .numbers(numbers)
    case .text(let read):
      guard let order = descriptor.strings else { return nil }
      var texts: ContiguousArray<String?> = []
      texts.reserveCapacity(objects.count)
      for object in objects {
        guard entry.isFor(object),
          Reference(object).read({ object in
            read(object) { texts.append($0.map { order.prepared(String(decoding: $0, as: UTF8.self)) }) }
          })
        else { return nil }
      }
      return .texts(texts, order == .caseInsensitive ? .natural : order)
    case .other: return nil
    }
  }

  /// The order of the objects at two places; not yet reversed for a descending sort.
  ///
  /// - Throws: `OCDEvaluationError` for strings if the selector is not supported.
  @inline(__always)
  func order(of left: Int, _ right: Int) throws -> ComparisonResult {
    switch values {
    case .numbers(let numbers): return Self.order(of: numbers[left], numbers[right]) ?? .orderedSame
    case .texts(let texts, let order):
      guard let left = texts[left] else { return texts[right] == nil ? .orderedSame : .orderedAscending }
      guard let right = texts[right] else { return .orderedDescending }
      return order.order(left, right)
    case .operands(let operands): return try descriptor.order(of: operands[left], operands[right])
    }
  }

  /// The order of two numbers, of which nil is the smallest, and NaN is equal to all; nil if one was refused.
  @inline(__always)
  static func order(of left: PlacedNumber, _ right: PlacedNumber) -> ComparisonResult? {
    switch (left, right) {
    case (.integer(let left), .integer(let right)):
      left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    case (.real(let left), .real(let right)):
      left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    case (.refused, _), (_, .refused): nil
    case (.null, .null): .orderedSame
    case (.null, _): .orderedAscending
    case (_, .null): .orderedDescending
    // The numbers of one property are all integers or all floating-point numbers.
    default: nil
    }
  }
}

extension StringOrder {
  /// Returns a text in the form in which the order compares it, so that it is folded once.
  fileprivate func prepared(_ text: String) -> String {
    self == .caseInsensitive ? StringFolding.fold(text, case: true, diacritic: false) : text
  }
}
