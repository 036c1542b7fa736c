import OpenCoreData

/// How the commands write values of stores.
package enum ValueText {
  /// A value as JSON.
  package static func json(_ value: InspectedValue) -> String { StoreValue(value).json }

  /// Returns a value as text without quotation marks; nil if there is no value.
  package static func plain(_ value: InspectedValue) -> String? { StoreValue(value).plain }

  /// A value in a table for people.
  package static func cell(_ value: InspectedValue) -> String { StoreValue(value).cell }

  /// A string as JSON.
  package static func json(_ text: String) -> String { StoreValue.json(text) }

  /// Returns a field of CSV.
  package static func csv(_ text: String?) -> String { StoreValue.csv(text) }
}
