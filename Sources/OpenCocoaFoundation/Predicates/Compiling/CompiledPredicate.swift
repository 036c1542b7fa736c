import Foundation

/// The answer of a compiled test.
enum CompiledAnswer {
  case no
  case yes
  /// The test cannot tell; the general evaluator must be asked. The test has had no effect on the object.
  case unknown

  @inline(__always)
  init(_ holds: Bool) { self = holds ? .yes : .no }
}

/// A predicate for the objects of one class and shape, as one closure.
///
/// It gives the same answers as the general evaluator, or `unknown`: for faults, for comparisons that may fail, and for parts
/// that are not compiled.
typealias CompiledTest = (NSObject) -> CompiledAnswer

extension ShapeCache<CompiledTest> {
  /// The answer of the test for a value; nil if there is no test, or it cannot tell.
  @inline(__always)
  func answer(for value: Any, _ make: (any PlacedProperties) -> CompiledTest?) -> Bool? {
    made(for: value, make)?.read { test in
      switch Reference(value).read(test) {
      case .yes: true
      case .no: false
      case .unknown: nil
      }
    }
  }
}

extension NSComparisonPredicate {
  /// The answer of the compiled comparison; nil if the general evaluator must be asked.
  @inline(__always)
  func compiledAnswer(for object: Any) -> Bool? {
    compiled.answer(for: object) { PredicateCompiler($0).test(self) }
  }
}

extension NSCompoundPredicate {
  /// The answer of the compiled compound; nil if the general evaluator must be asked.
  ///
  /// A compound of which some parts cannot be compiled answers where the other parts suffice.
  @inline(__always)
  func compiledAnswer(for object: Any) -> Bool? {
    guard type(of: self) == NSCompoundPredicate.self, levels <= PredicateCompiler.maximumLevels else { return nil }
    return compiled.answer(for: object) { PredicateCompiler($0).test(self) }
  }
}
