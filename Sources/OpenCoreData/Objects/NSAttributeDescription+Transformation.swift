import Foundation
import OpenCocoaFoundation

// The two directions of a transformable attribute. Transformers that unarchive make objects of data; all others are
// written the other way round: their `transformedValue(_:)` makes the data that is stored.
extension NSAttributeDescription {
  /// The bytes that a store keeps for an object.
  /// - Throws: 134060 without a transformer of the attribute's name, and where it gives no data; what the transformer
  ///   ran into.
  final func transformedBytes(of object: Any) throws -> Data {
    let transformer = try transformer()
    let (result, error) = TransformationFailure.observing {
      transformer.makesObjectsOfData
        ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
    }
    if let data = result as? Data { return data }
    if let error { throw error }
    throw problem(
      "\(Swift.type(of: transformer)) made \(result.map { "a \(Swift.type(of: $0))" } ?? "nothing") of it, and not the data that a "
        + "store keeps.")
  }

  /// The object that stored bytes stand for.
  /// - Throws: as `transformedBytes(of:)`.
  final func transformedObject(in data: Data) throws -> Any? {
    let transformer = try transformer()
    let makesObjects = transformer.makesObjectsOfData
    guard makesObjects || Swift.type(of: transformer).allowsReverseTransformation() else {
      throw problem("\(Swift.type(of: transformer)) does not allow reverse transformation.")
    }
    let (result, error) = TransformationFailure.observing {
      makesObjects ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
    }
    if let result = StoredValue.unwrapped(result) { return result }
    if let error { throw error }
    if makesObjects { return nil }
    throw problem("\(Swift.type(of: transformer)) makes no object of its bytes.")
  }

  private final func transformer() throws -> ValueTransformer {
    guard let name = valueTransformerName, !name.isEmpty else { return AnySecureTransformer() }
    if let transformer = ValueTransformer(forName: NSValueTransformerName(name)) { return transformer }
    throw problem("There is no value transformer of the name \(name).")
  }

  private final func problem(_ reason: String) -> NSError {
    NSError(coreData: NSCoreDataError, reason, [NSDebugDescriptionErrorKey: reason])
  }
}
