/// The default values of attributes, in the spelling of source models.
enum DefaultText {
  /// Returns the reason why a text is not a value of a type. Returns nil if it is one, or if the type is not numeric:
  /// then the text is left over from another type, and Xcode's compiler ignores it.
  static func problem(_ text: String, type: String) -> String? {
    // A Boolean may also be left over from another type.
    if ["YES", "NO", "true", "false"].contains(text) { return nil }
    switch type {
    case "Boolean", "Decimal": return Double(text) == nil ? "is not a number" : nil
    case "Integer 16": return problem(text, within: Double(Int16.min)...Double(Int16.max))
    case "Integer 32": return problem(text, within: Double(Int32.min)...Double(Int32.max))
    case "Integer 64": return problem(text, within: -0x1p63...0x1p63)
    case "Float":
      return problem(text, within: -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude))
    case "Double": return problem(text, within: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude)
    default: return nil
    }
  }

  private static func problem(_ text: String, within range: ClosedRange<Double>) -> String? {
    guard let number = Double(text) else { return "is not a number" }
    return range.contains(number) ? nil : "does not fit the type"
  }
}
