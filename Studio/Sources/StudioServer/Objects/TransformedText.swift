import CoreData
import Foundation

/// What the bytes of a transformable attribute stand for, where that can be told safely.
///
/// Archives are decoded by the framework's own transformer, which makes objects of the classes on its list alone.
/// Transformers of an application are named: the studio does not have them.
enum TransformedText {
  private static let safe: Set<String> = ["", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer"]
  /// No more letters are shown.
  private static let longest = 10_000

  static func text(of data: Data, _ attribute: NSAttributeDescription) -> String {
    let name = attribute.valueTransformerName ?? ""
    guard safe.contains(name) else { return "Made by the transformer \(name), which belongs to the application." }
    guard let transformer = ValueTransformer(forName: .secureUnarchiveFromDataTransformerName),
      // Its way forwards is out of an archive.
      let value = transformer.transformedValue(data)
    else { return "The archive holds classes that are not on the list of safe ones, or is damaged." }
    let text = "\(value)"
    return text.count > longest ? text.prefix(longest) + "…" : text
  }
}
