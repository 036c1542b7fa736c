import Foundation

/// Names one expression of each file with conversions.
///
/// Conversions are only cast to, and Foundation's types cannot have them beside their own code. A linker takes only those object
/// files out of a static archive that something names, so a program would be without the conversions, and each Swift predicate
/// with one of them could not be converted.
enum ConvertibleExpressions {
  private typealias Number = PredicateExpressions.Value<Int>
  private typealias Text = PredicateExpressions.Value<String>
  private typealias Truth = PredicateExpressions.Value<Bool>
  private typealias Numbers = PredicateExpressions.Value<[Int]>

  /// Makes sure that the conversions are in the program. The optimiser must not see that nothing is done with the types.
  @inline(never) @_optimize(none)
  static func link() {
    let types: [any ConvertibleExpression.Type] = [
      Number.self,
      PredicateExpressions.Arithmetic<Number, Number>.self,
      PredicateExpressions.SequenceContains<Numbers, Number>.self,
      PredicateExpressions.Equal<Number, Number>.self,
      PredicateExpressions.KeyPath<Text, Int>.self,
      PredicateExpressions.Conjunction<Truth, Truth>.self,
      PredicateExpressions.ForcedUnwrap<PredicateExpressions.Value<Int?>, Int>.self,
      PredicateExpressions.StringLocalizedStandardContains<Text, Text>.self,
    ]
    _ = types
  }
}
