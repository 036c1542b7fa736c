import Foundation

// IN and BETWEEN with constants.
extension PredicateCompiler {
  // MARK: IN

  /// - Returns: nil if the right side is not constant.
  func membership(of side: Side, in comparison: NSComparisonPredicate) -> CompiledTest? {
    let prepared = comparison.prepared, evaluator = prepared.evaluator
    if let set = prepared.elementSet {
      guard let elements = set.lastingElements else { return nil }
      return special(side, evaluator, elements) ?? tested(side) { set.contains($0) }
    }
    guard let constant = prepared.constantOperand ?? PreparedComparison.constant(comparison.rightExpression) else {
      return nil
    }
    guard case .collection(let values, _) = constant, !evaluator.options.contains(.localeSensitive) else {
      return test(side, evaluator, constant)
    }
    if values.contains(where: Self.mayChange) { return nil }
    let elements = values.map { evaluator.prepared(Operand($0)) }
    return special(side, evaluator, elements) ?? test(side, evaluator, constant)
  }

  private func tested(_ side: Side, _ contains: @escaping (Operand) -> Bool) -> CompiledTest? {
    guard case .property(let reader) = side else { return nil }
    return { object in reader.operand(of: object).map { CompiledAnswer(contains($0)) } ?? .unknown }
  }

  /// Makes a test for elements that are all of the kind of the side; nil for other elements. Nil is an element of nothing.
  private func special(_ side: Side, _ evaluator: ComparisonEvaluator, _ elements: [Operand]) -> CompiledTest? {
    if let number = side.number { return NumberTest.membership(of: number, in: elements) }
    guard case .property(.text(let read)) = side else { return nil }
    var texts: [String] = []
    for element in elements where !element.isNull {
      guard case .string(let text) = element, evaluator.folds || TextTest.isExact(text) else { return nil }
      texts.append(text)
    }
    guard let set = TextSet(texts) else { return nil }
    guard evaluator.folds else { return TextTest.test(read, isNull: false) { set.contains($0) } }
    return TextTest.test(read, isNull: false) { bytes in
      var folded = evaluator.folded(String(decoding: bytes, as: UTF8.self))
      return folded.withUTF8 { set.contains(UnsafeRawBufferPointer($0)) }
    }
  }

  // MARK: BETWEEN

  /// - Returns: nil if the right side is not a constant collection of two values.
  func between(_ side: Side, _ comparison: NSComparisonPredicate) -> CompiledTest? {
    let prepared = comparison.prepared, evaluator = prepared.evaluator
    guard
      case .collection(let bounds, _) =
        prepared.constantOperand ?? PreparedComparison.constant(comparison.rightExpression) ?? .null, bounds.count == 2,
      !bounds.contains(where: Self.mayChange),
      let isAtLeast = test(
        side, ComparisonEvaluator(.greaterThanOrEqualTo, evaluator.options), evaluator.prepared(Operand(bounds[0]))),
      let isAtMost = test(
        side, ComparisonEvaluator(.lessThanOrEqualTo, evaluator.options), evaluator.prepared(Operand(bounds[1])))
    else { return nil }
    return { object in
      let answer = isAtLeast(object)
      return answer == .yes ? isAtMost(object) : answer
    }
  }
}

extension NumberTest {
  /// The greatest number of elements that are compared one by one.
  private static let fewElements = 8

  /// Makes a test for elements that are all numbers, or equal to no number; nil for elements that are compared otherwise.
  static func membership(of source: Source, in elements: [Operand]) -> CompiledTest? {
    var integers: [Int64] = [], reals: [Double] = []
    for element in elements {
      switch element.numericValue {
      case .integer(let value):
        guard abs(Double(value)) < 0x1p53 || source.isWhole else { return nil }
        integers.append(value)
        reals.append(Double(value))
      case .real(let value):
        // A number with a fraction, and one that is not a number, equals no integer.
        if let integer = Int64(exactly: value) { integers.append(integer) }
        if !value.isNaN { reals.append(value) }
      case .decimal: return nil
      case nil: continue
      }
    }
    let containsInteger = contains(integers), containsReal = contains(reals), read = source.read
    if source.isWhole {
      return { object in
        switch read(object) {
        case .integer(let value): CompiledAnswer(containsInteger(value))
        case .null: .no
        case .real, .refused: .unknown
        }
      }
    }
    return { object in
      switch read(object) {
      case .integer(let value): CompiledAnswer(containsInteger(value))
      case .real(let value): CompiledAnswer(containsReal(value))
      case .null: .no
      case .refused: .unknown
      }
    }
  }

  private static func contains<Number: Hashable>(_ elements: [Number]) -> (Number) -> Bool {
    if elements.count <= fewElements { return { elements.contains($0) } }
    let set = Set(elements)
    return { set.contains($0) }
  }
}
