import CoreData
import Foundation

import class OpenCocoaFoundation.ValueTransformer

/// Stands for the transformers that the applications of some stores had: writes strings, and makes nothing of values of
/// classes that are not here.
final class CorpusTransformer: ValueTransformer {
  private static let names = ["ColorTransformer", "CoverTransformer", "ContentTransformer"]
  private static let mark = Data("text:".utf8)
  private static let registered: Void = {
    for name in names {
      ValueTransformer.setValueTransformer(CorpusTransformer(), forName: NSValueTransformerName(name))
    }
  }()

  static func register() { registered }

  /// Whether an attribute's values are written by this class.
  static func serves(_ attribute: NSAttributeDescription) -> Bool {
    names.contains(attribute.valueTransformerName ?? "")
  }

  static func bytes(_ text: String) -> Data { mark + Data(text.utf8) }

  override func transformedValue(_ value: Any?) -> Any? { (value as? String).map(Self.bytes) }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.starts(with: Self.mark) else { return nil }
    return String(decoding: data.dropFirst(Self.mark.count), as: UTF8.self)
  }

  override class func allowsReverseTransformation() -> Bool { true }
}
