import Foundation

/// Writes the document of an XML store: objects in the order of their numbers, properties in the model's order.
struct XMLStoreWriter {
  private var output: [UInt8] = []

  /// Returns the bytes of the document.
  static func write(
    _ metadata: StoreMetadata, lastReference: Int64, version: String, _ nodes: [NSAtomicStoreCacheNode],
    _ names: XMLStoreNames, isStored: (NSAtomicStoreCacheNode) -> Bool
  ) throws -> Data {
    var writer = XMLStoreWriter()
    writer.put("<?xml version=\"1.0\" standalone=\"yes\"?>\n")
    writer.put("<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">\n\n<database>\n    ")
    writer.output += try head(metadata, lastReference: lastReference, version: version)
    writer.put("\n")
    for node in nodes { try writer.write(node, names, isStored) }
    writer.put("</database>\n")
    return Data(writer.output)
  }

  /// Returns the <databaseInfo> element, which comes before the objects.
  static func head(_ metadata: StoreMetadata, lastReference: Int64, version: String) throws -> [UInt8] {
    var writer = XMLStoreWriter()
    writer.put("<databaseInfo>\n        <version>")
    writer.put(version)
    writer.put("</version>\n        <UUID>")
    XMLStoreText.append(metadata.identifier, to: &writer.output)
    writer.put("</UUID>\n        <nextObjectID>\(lastReference)</nextObjectID>\n        <metadata>\n")
    writer.output += try propertyList(metadata.properties)
    writer.put("        </metadata>\n    </databaseInfo>")
    return writer.output
  }

  /// - Throws: 3852 for text that XML cannot contain.
  private static func propertyList(_ properties: [String: Any]) throws -> [UInt8] {
    let data = try PropertyListSerialization.data(fromPropertyList: properties, format: .xml, options: 0)
    var list: [UInt8] = []
    for byte in data[(data.range(of: Data("<plist".utf8))?.lowerBound ?? data.startIndex)...] {
      if byte < 32, byte != 9, byte != 10, byte != 13 {
        throw NSError(
          coreData: CocoaError.Code.propertyListWriteInvalid.rawValue,
          "The metadata have text with the character \(byte), which XML does not allow.")
      }
      // A plain carriage return would be read as the end of a line.
      if byte == 13 { list += Array("&#13;".utf8) } else { list.append(byte) }
    }
    return list
  }

  private mutating func write(
    _ node: NSAtomicStoreCacheNode, _ names: XMLStoreNames, _ isStored: (NSAtomicStoreCacheNode) -> Bool
  ) throws {
    guard let entity = names.byNumber[node.objectID.entity.storeNumber] else { return }
    put("    <object type=\"")
    XMLStoreText.append(entity.name, to: &output)
    put("\" id=\"z\(node.objectID.key)\">\n")
    for property in entity.properties where !property.slot.kind.isRelationship {
      guard let text = try node.stored(property.slot).text(for: property.slot) else { continue }
      begin("attribute", property)
      put(">")
      XMLStoreText.append(text, to: &output)
      put("</attribute>\n")
    }
    for property in entity.properties where property.slot.kind.isRelationship {
      begin("relationship", property)
      put(" destination=\"")
      XMLStoreText.append(property.destination, to: &output)
      var members = node.members(property.slot.name).filter(isStored).map(\.objectID.key)
      if property.slot.kind == .toMany, !property.slot.isOrdered { members.sort() }
      if !members.isEmpty {
        put("\" idrefs=\"")
        put(members.map { "z\($0)" }.joined(separator: " "))
      }
      put("\"></relationship>\n")
    }
    put("    </object>\n")
  }

  private mutating func begin(_ element: String, _ property: XMLStoreNames.Property) {
    put("        <")
    put(element)
    put(" name=\"")
    XMLStoreText.append(property.name, to: &output)
    put("\" type=\"")
    put(property.type)
    put("\"")
  }

  private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }
}
