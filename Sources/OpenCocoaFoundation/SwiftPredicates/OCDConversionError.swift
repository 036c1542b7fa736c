import Foundation

/// The error that a typed predicate, expression or sort descriptor of Swift has a part that cannot be said in a store's language.
///
/// It names the part, the reason, and what to write instead. Nothing of such a predicate is evaluated in memory behind the
/// program's back.
///
/// As an NSError it has the domain NSCocoaErrorDomain and the code 134060 (NSCoreDataError).
///
/// ```swift
/// do {
///   _ = try NSPredicate(converting: #Predicate<Entry> { $0.isFault })
/// } catch let error as OCDConversionError {
///   print(error.kind)  // keyPath
/// }
/// ```
///
/// Not in Apple's framework (D-EXT-30), whose initialisers return nil, and whose SwiftData stops the program.
public struct OCDConversionError: LocalizedError, CustomNSError, CustomStringConvertible, Sendable {
  /// What the part is that cannot be converted.
  public enum Kind: Sendable {
    /// A key path that leads to no property with a name: a computed one, or one of a type that is not known.
    case keyPath
    /// A call or an operator that no store can evaluate.
    case function
    /// A type whose values no property can have, or whose values a store orders or compares in another way.
    case type
    /// A predicate that is nested too deeply.
    case nesting
  }

  public let kind: Kind

  /// The part, as the source writes it where that can be told: `\Song.isPopular`, `first`, `Range<Character>`.
  public let part: String

  /// Why it cannot be converted: a clause without its subject, which is the part.
  public let reason: String

  /// What to write instead: one sentence.
  public let suggestion: String

  package init(_ kind: Kind, _ part: String, _ reason: String, instead suggestion: String) {
    self.kind = kind
    self.part = part
    self.reason = reason
    self.suggestion = suggestion
  }

  /// The part, the reason and the suggestion.
  public var description: String { "\(part) \(reason). \(suggestion)" }

  /// The part and the reason.
  public var errorDescription: String? { "\(part) \(reason)." }

  /// The suggestion.
  public var recoverySuggestion: String? { suggestion }

  /// NSCocoaErrorDomain, the domain of all errors of the framework.
  public static var errorDomain: String { NSCocoaErrorDomain }

  /// 134060, NSCoreDataError.
  public var errorCode: Int { 134060 }

  /// The description, also under the key "reason", and the suggestion.
  public var errorUserInfo: [String: Any] {
    [
      NSLocalizedDescriptionKey: description, NSLocalizedRecoverySuggestionErrorKey: suggestion, "reason": description,
    ]
  }
}

// The errors of frequent parts.
extension OCDConversionError {
  /// The error of a key path without a name.
  package static func unnamed(_ keyPath: AnyKeyPath) -> OCDConversionError {
    OCDConversionError(
      .keyPath, text(of: keyPath), "leads to no stored property",
      instead: "Compare the stored properties that it is computed from, or register its name with OCDRegisterKeyPath.")
  }

  /// The error of a type whose values no property has.
  static func unstorable(_ type: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .type, "A value of the type \(type)", "cannot be stored, nor be compared with a stored value",
      instead: "Capture a String, number, Bool, Date, UUID, Data, URL or Decimal of it in a constant.")
  }

  /// The error of an order that a type defines by itself.
  static func unordered(_ type: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .type, "Values of the type \(type)", "have an order of their own, which a store does not know",
      instead: "Compare a number, a string or a date that has the same order.")
  }

  /// The error of a call that needs a collection of objects or of stored values.
  static func notACollection(_ function: String, of type: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .function, "`\(function)`", "is not known of the type \(type)",
      instead: "Use it with an array, a set, a relationship or a constant collection.")
  }

  /// The error of an expression that a store has no counterpart of.
  static func unknown(_ expression: Any) -> OCDConversionError {
    let name = "\(type(of: expression))".prefix { $0 != "<" }
    switch name {
    case "PredicateEvaluate", "ExpressionEvaluate":
      return OCDConversionError(
        .function, "`evaluate`", "of another predicate cannot be part of a predicate",
        instead: "Convert both by themselves, and join them with NSCompoundPredicate.")
    case "CollectionRangeSubscript":
      return OCDConversionError(
        .function, "`[range]`", "of a collection has no counterpart in a store",
        instead: "Ask for single elements, or for the elements that fulfil a condition by `filter`.")
    default:
      return OCDConversionError(
        .function, "The expression \(name)", "has no counterpart in a store",
        instead: "Write it with comparisons, arithmetic, texts, collections and optionals.")
    }
  }

  /// The text of a key path; computed properties have no names in it.
  static func text(of keyPath: AnyKeyPath) -> String {
    let text = keyPath.debugDescription
    guard text.contains("<computed") else { return text }
    let type = type(of: keyPath)
    return "A computed property of \(type.rootType) with a value of the type \(type.valueType)"
  }
}
