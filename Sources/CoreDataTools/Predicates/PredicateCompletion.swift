import Foundation
import OpenCocoaFoundation
@_spi(Store) import OpenCoreData

/// Suggestions for a place in the text of a predicate, and the mistakes in the text, by the model.
public struct PredicateCompletion {
  /// A text that can be inserted at the place.
  public struct Suggestion: Sendable, Equatable {
    /// The kind of a suggestion.
    public enum Kind: String, Sendable, CaseIterable {
      /// A value of an object.
      case attribute
      /// A relationship, which leads to other objects.
      case relationship
      /// A collection operator such as `@count`, which makes one value of many.
      case collectionOperator
      /// A comparison.
      case comparison
      /// A function such as `lowercase()`.
      case function
      /// AND, OR, NOT, ANY and the like.
      case keyword
      /// A value that the property can have.
      case value
    }

    /// The text that replaces the characters in `range`.
    public let text: String
    /// The kind of the suggestion.
    public let kind: Kind
    /// A short description: a type, a destination.
    public let detail: String
    /// The range of the characters that `text` replaces.
    public let range: Range<Int>
  }

  /// Returns the suggestions for a place, the likeliest first.
  /// - Parameters:
  ///   - text: The predicate so far; the text behind the place is ignored.
  ///   - offset: The place: the number of characters in front of it.
  ///   - entity: The name of the entity whose objects are looked for.
  ///   - model: The model.
  /// - Returns: the suggestions; none for an unknown entity, and none directly behind a finished string.
  public static func suggestions(
    for text: String, at offset: Int, entity: String, model: NSManagedObjectModel
  ) -> [Suggestion] {
    guard let entity = model.entitiesByName[entity] else { return [] }
    let end = min(max(offset, 0), text.count)
    var words = PredicateScan(text.prefix(end)).words
    // A word that ends at the place is still being typed.
    let partial = words.last.flatMap { word -> PredicateWord? in
      guard word.range.upperBound == end || !word.isFinished else { return nil }
      return [.open, .close, .comma, .sign, .number].contains(word.kind) ? nil : word
    }
    if let partial, partial.kind == .string, partial.isFinished { return [] }
    if partial != nil { words.removeLast() }
    let range = partial?.range ?? end..<end
    return PredicateChoices(entity, words, typed: partial?.text ?? "").suggestions.map { choice in
      Suggestion(text: choice.text, kind: choice.kind, detail: choice.detail, range: range)
    }
  }

  /// Returns the first mistake in the text of a predicate: a part that the parser refuses, or a key that the model does not
  /// have.
  /// - Returns: nil if there is no mistake, and for a text that is only white space.
  public static func mistakes(
    in text: String, entity: String, model: NSManagedObjectModel
  ) -> PredicateMistake? {
    if text.allSatisfy(\.isWhitespace) { return nil }
    do {
      _ = try NSPredicate(parsing: text)
    } catch let error as OCDPredicateFormatError {
      return PredicateMistake(error)
    } catch {
      return PredicateMistake("\(error)", in: text, at: 0)
    }
    return unknownKey(in: text, entity, model)
  }

  /// Returns the first key path of a readable predicate that a store of the model refuses.
  static func unknownKey(in text: String, _ name: String, _ model: NSManagedObjectModel) -> PredicateMistake? {
    guard let entity = model.entitiesByName[name], let predicate = try? NSPredicate(parsing: text),
      (try? model.prepareWithinLimits()) != nil
    else { return nil }
    let refusal: String
    do {
      try KeyPathCheck(model.entities).check(
        FetchTarget(layout: entity.layout, predicate: predicate, includesSubentities: true))
      return nil
    } catch { refusal = (error as NSError).localizedDescription }
    let words = PredicateScan(text).words
    for (index, word) in words.enumerated() where word.kind == .name {
      // A function or a constant is no key path.
      if index + 1 < words.count, words[index + 1].kind == .open { continue }
      if PredicateScan.constants.contains(word.text.uppercased()) { continue }
      let scope = PredicateScope(entity, words[...index])
      guard let unknown = scope.unknownKey(in: word.text) else { continue }
      let keys = word.text.split(separator: ".", omittingEmptySubsequences: false)
      let start = word.range.lowerBound + keys[..<unknown.index].reduce(0) { $0 + $1.count + 1 }
      let key = keys[unknown.index]
      let owner = unknown.entity.map { "The entity \($0) has no property “\(key)”." } ?? "“\(key)” leads nowhere."
      return PredicateMistake(owner, in: text, at: start, length: key.count)
    }
    return PredicateMistake("\(refusal).", in: text, at: 0)
  }
}
