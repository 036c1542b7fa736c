import Foundation

/// Compiled comparisons of numbers, whose constants are converted once.
///
/// Numbers of all types and dates are compared by their values, as `ExactNumber` compares them: nothing is smaller than, larger
/// than or equal to NaN or nil, but nil is equal to nil.
enum NumberTest {
  typealias Read = (NSObject) -> PlacedNumber

  /// Where the numbers come from.
  struct Source {
    let read: Read
    /// Whether all numbers are integers.
    let isWhole: Bool
  }

  // MARK: With a constant

  /// - Returns: nil if the constant is neither a number nor nil.
  static func comparing(
    _ source: Source, _ operation: NSComparisonPredicate.Operator, _ constant: Operand
  ) -> CompiledTest? {
    if constant.isNull { return comparingWithNull(source.read, operation) }
    guard let constant = constant.numericValue else { return nil }
    let test = Comparison(source, constant)
    switch operation {
    case .equalTo: return test.made(==, ==, isNull: .no) { $0 == .orderedSame }
    case .notEqualTo: return test.made(!=, !=, isNull: .yes) { $0 != .orderedSame }
    case .lessThan: return test.made(<, <, isNull: .no) { $0 == .orderedAscending }
    case .greaterThan: return test.made(>, >, isNull: .no) { $0 == .orderedDescending }
    case .lessThanOrEqualTo:
      return test.made(<=, <=, isNull: .no) { $0 == .orderedAscending || $0 == .orderedSame }
    case .greaterThanOrEqualTo:
      return test.made(>=, >=, isNull: .no) { $0 == .orderedDescending || $0 == .orderedSame }
    default: return nil
    }
  }

  private static func comparingWithNull(
    _ read: @escaping Read, _ operation: NSComparisonPredicate.Operator
  ) -> CompiledTest {
    let isNull: CompiledAnswer, isNumber: CompiledAnswer
    switch operation {
    case .equalTo, .lessThanOrEqualTo, .greaterThanOrEqualTo: (isNull, isNumber) = (.yes, .no)
    case .notEqualTo: (isNull, isNumber) = (.no, .yes)
    default: (isNull, isNumber) = (.no, .no)
    }
    return { object in
      switch read(object) {
      case .null: isNull
      case .integer, .real: isNumber
      case .refused: .unknown
      }
    }
  }

  /// A comparison with a number that is not nil.
  private struct Comparison {
    private let source: Source
    private let constant: ExactNumber
    /// The constant as an integer, if that is the same number.
    private let integer: Int64?
    /// The constant as a Double, if that is the same number.
    private let real: Double?

    init(_ source: Source, _ constant: ExactNumber) {
      self.source = source
      self.constant = constant
      switch constant {
      case .integer(let value): (integer, real) = (value, abs(Double(value)) < 0x1p53 ? Double(value) : nil)
      case .real(let value): (integer, real) = (Int64(exactly: value), value)
      case .decimal: (integer, real) = (nil, nil)
      }
    }

    /// - Parameter holds: Whether the comparison holds for numbers of that order.
    @inline(__always)
    func made(
      _ integers: @escaping (Int64, Int64) -> Bool, _ reals: @escaping (Double, Double) -> Bool,
      isNull: CompiledAnswer, _ holds: @escaping (ComparisonResult?) -> Bool
    ) -> CompiledTest {
      let read = source.read, constant = constant
      let exact = { (number: PlacedNumber) -> CompiledAnswer in
        guard let number = number.exact else { return .unknown }
        return CompiledAnswer(holds(number.order(to: constant)))
      }
      if source.isWhole, let integer {
        return { object in
          switch read(object) {
          case .integer(let value): CompiledAnswer(integers(value, integer))
          case .null: isNull
          case .real, .refused: .unknown
          }
        }
      }
      let integer = integer
      if !source.isWhole, let real {
        return { object in
          switch read(object) {
          case .real(let value): return CompiledAnswer(reals(value, real))
          case .integer(let value):
            return integer.map { CompiledAnswer(integers(value, $0)) } ?? exact(.integer(value))
          case .null: return isNull
          case .refused: return .unknown
          }
        }
      }
      return { object in
        let number = read(object)
        if case .null = number { return isNull }
        return exact(number)
      }
    }
  }

  // MARK: With another number of the object

  static func comparing(
    _ left: Source, _ operation: NSComparisonPredicate.Operator, _ right: Source
  ) -> CompiledTest? {
    let (left, right) = (left.read, right.read)
    return { object in
      let (left, right) = (left(object), right(object))
      switch (left, right) {
      case (.refused, _), (_, .refused): return .unknown
      case (.null, .null): return CompiledAnswer(holds(operation, .orderedSame))
      default:
        let order = left.exact.flatMap { left in right.exact.flatMap { left.order(to: $0) } }
        return CompiledAnswer(holds(operation, order))
      }
    }
  }

  private static func holds(
    _ operation: NSComparisonPredicate.Operator, _ order: ComparisonResult?
  ) -> Bool {
    switch operation {
    case .equalTo: order == .orderedSame
    case .notEqualTo: order != .orderedSame
    case .lessThan: order == .orderedAscending
    case .greaterThan: order == .orderedDescending
    case .lessThanOrEqualTo: order == .orderedAscending || order == .orderedSame
    default: order == .orderedDescending || order == .orderedSame
    }
  }
}
