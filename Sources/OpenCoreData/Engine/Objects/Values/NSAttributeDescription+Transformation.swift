import Foundation
import OpenCocoaFoundation

// The two directions of a transformable attribute. Transformers that unarchive make objects of data; all others are
// written the other way round: their `transformedValue(_:)` makes the data that is stored.
extension NSAttributeDescription {
  /// The bytes that a store keeps for an object. Where no transformer of the attribute's name is registered, the one
  /// for objects of known classes makes them.
  /// - Throws: 134060 where the transformer gives no data; any error that the transformer throws.
  final func transformedBytes(of object: Any) throws -> Data {
    let transformer = transformer()
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

  /// The object of stored bytes. Bytes that the attribute's own transformer cannot read may have been written while
  /// that transformer was not registered, so the default one is tried, too.
  /// - Throws: as `transformedBytes(of:)`.
  package final func transformedObject(in data: Data) throws -> Any? {
    do {
      if let object = try ownObject(in: data) { return object }
    } catch {
      if let object = objectOfDefault(in: data) { return object }
      throw error
    }
    if let object = objectOfDefault(in: data) { return object }
    // Only an archive of nil stands for nil.
    do {
      if try SecureUnarchiver.object(in: data, of: nil) == nil { return nil }
    } catch {}
    throw problem("\(Swift.type(of: transformer())) gives nothing for its bytes.")
  }

  private final func ownObject(in data: Data) throws -> Any? {
    if let name = valueTransformerName, !name.isEmpty, ValueTransformer(forName: NSValueTransformerName(name)) == nil {
      if let object = objectOfDefault(in: data) { return object }
      throw problem("There is no value transformer of the name \(name).")
    }
    let transformer = transformer()
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

  private final func objectOfDefault(in data: Data) -> Any? {
    guard let name = valueTransformerName, !name.isEmpty else { return nil }
    return try? NSSecureUnarchiveFromDataTransformer().object(in: data)
  }

  private final func transformer() -> ValueTransformer {
    guard let name = valueTransformerName, !name.isEmpty else { return AnySecureTransformer() }
    if let transformer = ValueTransformer(forName: NSValueTransformerName(name)) { return transformer }
    let entity = entity.name ?? ""
    UndecodableAttributes.note("\(entity).\(self.name) has no \(name)") {
      "warning: No NSValueTransformer with class name '\(name)' was found for attribute '\(self.name)' on entity "
        + "'\(entity)'; objects of property list classes are archived, others cannot be saved."
    }
    return NSSecureUnarchiveFromDataTransformer()
  }

  private final func problem(_ reason: String) -> NSError {
    NSError(coreData: NSCoreDataError, reason, [NSDebugDescriptionErrorKey: reason])
  }
}
