/// The keys of fields for which Apple's archives have no known key. A decoder ignores keys that it does not know.
enum ArchivedKey {
  /// The localisation dictionary of a model.
  static let localization = "OCDLocalizationDictionary"
  /// Whether an attribute allows encryption in the cloud.
  static let cloudEncryption = "OCDAllowsCloudEncryption"
  /// Whether a property is for the index of Spotlight.
  static let isIndexedBySpotlight = "OCDIsIndexedBySpotlight"
  /// The expression of an expression description.
  static let expression = "OCDExpression"
  /// The expression description of an element of a fetch index.
  static let indexedExpression = "OCDIndexedExpression"
  /// The type of an expression description's result.
  static let expressionType = "OCDExpressionResultType"
}
