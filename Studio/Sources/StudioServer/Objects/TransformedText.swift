import CoreData
import Foundation

/// The value of a transformable attribute as text, if its bytes can be decoded safely.
///
/// Archives are decoded by the framework's own transformer, which only makes objects of an allowed list of classes. For
/// transformers of an application, only the name is shown, because the studio does not have them.
enum TransformedText {
  private static let safe: Set<String> = ["", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
  /// The maximal number of characters that are shown.
  private static let longest = 10_000

  static func text(of data: Data, _ attribute: NSAttributeDescription) -> String {
    let name = attribute.valueTransformerName ?? ""
    guard safe.contains(name) else { return "Made by the transformer \(name), which belongs to the application." }
    guard let transformer = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName),
      // `transformedValue` of this transformer decodes an archive.
      let value = transformer.transformedValue(data)
    else { return "The archive holds classes that are not on the list of safe ones, or is damaged." }
    let text = "\(value)"
    return text.count > longest ? text.prefix(longest) + "…" : text
  }
}
