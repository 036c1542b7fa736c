import Foundation
import OpenCocoaFoundation

/// Encodes and decodes model descriptions for NSKeyedArchiver.
///
/// An unarchiver follows references without end, and the descriptions of a model refer to each other in cycles. So a
/// description is archived as one value: a model archive of our own, which holds all descriptions that can be reached
/// from it, and the place of the description in that archive.
enum DescriptionCoder {
  private static let archiveKey = "OCDModel"
  private static let entityKey = "OCDEntity"
  private static let propertyKey = "OCDProperty"
  private static let indexKey = "OCDIndex"

  // MARK: Encoding

  static func encode(_ model: NSManagedObjectModel, _ coder: NSCoder) { write(ModelContents(model), coder) }

  static func encode(_ entity: NSEntityDescription, _ coder: NSCoder) {
    write(ModelContents(reachableFrom: entity), coder)
    coder.encode((entity.name ?? "") as NSString, forKey: entityKey)
  }

  static func encode(_ property: NSPropertyDescription, _ coder: NSCoder) {
    let entity: NSEntityDescription
    if let owner = property.owner, owner.declaredProperties.contains(where: { $0 === property }) {
      entity = owner
    } else {
      entity = nameless(with: [property.detachedCopy()])
    }
    write(ModelContents(reachableFrom: entity), coder)
    coder.encode((entity.name ?? "") as NSString, forKey: entityKey)
    coder.encode(property.name as NSString, forKey: propertyKey)
  }

  static func encode(_ index: NSFetchIndexDescription, _ coder: NSCoder) {
    if let owner = index.owner, let position = owner.indexes.firstIndex(where: { $0 === index }) {
      write(ModelContents(reachableFrom: owner), coder)
      coder.encode((owner.name ?? "") as NSString, forKey: entityKey)
      coder.encode(position, forKey: indexKey)
    } else {
      encode(nameless: index.detachedCopy { $0 }, coder)
    }
  }

  static func encode(_ element: NSFetchIndexElementDescription, _ coder: NSCoder) {
    let copy = element.detachedCopy(property: element.storedProperty)
    encode(nameless: NSFetchIndexDescription(name: "", elements: [copy]), coder)
  }

  private static func encode(nameless index: NSFetchIndexDescription, _ coder: NSCoder) {
    let entity = nameless(with: index.elements.compactMap { $0.storedProperty?.detachedCopy() })
    entity.indexes = [index]
    write(ModelContents(reachableFrom: entity), coder)
    coder.encode("" as NSString, forKey: entityKey)
    coder.encode(0, forKey: indexKey)
  }

  /// Makes an entity without a name for properties that belong to no entity.
  private static func nameless(with properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.declare(properties)
    return entity
  }

  private static func write(_ contents: ModelContents, _ coder: NSCoder) {
    do {
      coder.encode(try ModelEncoder.encode(contents, as: .compiled) as NSData, forKey: archiveKey)
    } catch {
      raise(.invalidArgument, (error as? ArchiveProblem)?.reason ?? "\(error)")
    }
  }

  // MARK: Decoding

  static func decode(_ model: NSManagedObjectModel, _ coder: NSCoder) -> Bool {
    decode(coder) { try read(coder, into: model) }
  }

  static func decode(_ entity: NSEntityDescription, _ coder: NSCoder) -> Bool {
    decode(coder) {
      let (model, twin) = try self.entity(coder)
      var replaced: [ObjectIdentifier: NSPropertyDescription] = [:]
      twin.copyContents(to: entity, &replaced)
      if entity.name == "" { entity.name = nil }
      entity.parent = twin.parent
      entity.model = model
      entity.decodedModel = model
    }
  }

  static func decode(_ property: NSPropertyDescription, _ coder: NSCoder) -> Bool {
    decode(coder) {
      let (model, entity) = try self.entity(coder)
      let name = text(coder, propertyKey)
      guard let twin = entity.declaredProperties.first(where: { $0.name == name }),
        property.isKind(of: Swift.type(of: twin))
      else { throw ArchiveProblem("The archive holds no such property.") }
      twin.copyFields(to: property)
      property.owner = entity.name == "" ? nil : entity
      property.decodedModel = model
    }
  }

  static func decode(_ index: NSFetchIndexDescription, _ coder: NSCoder) -> Bool {
    decode(coder) {
      let (model, entity) = try self.entity(coder)
      let twin = try self.index(coder, entity)
      let copy = twin.detachedCopy { $0 }
      index.name = copy.name
      index.elements = copy.elements
      index.partialIndexPredicate = copy.partialIndexPredicate
      index.owner = entity.name == "" ? nil : entity
      index.decodedModel = model
    }
  }

  static func decode(_ element: NSFetchIndexElementDescription, _ coder: NSCoder) -> Bool {
    decode(coder) {
      let (model, entity) = try self.entity(coder)
      guard let twin = try index(coder, entity).elements.first else {
        throw ArchiveProblem("The archive holds no element of an index.")
      }
      element.collationType = twin.collationType
      element.isAscending = twin.isAscending
      element.storedProperty = twin.storedProperty?.detachedCopy()
      element.storedProperty?.decodedModel = model
    }
  }

  private static func entity(_ coder: NSCoder) throws -> (NSManagedObjectModel, NSEntityDescription) {
    let model = NSManagedObjectModel()
    try read(coder, into: model)
    guard let name = text(coder, entityKey), let entity = model.entitiesByName[name] else {
      throw ArchiveProblem("The archive holds no such entity.")
    }
    return (model, entity)
  }

  private static func index(_ coder: NSCoder, _ entity: NSEntityDescription) throws -> NSFetchIndexDescription {
    let position = coder.decodeInteger(forKey: indexKey)
    guard entity.indexes.indices.contains(position) else { throw ArchiveProblem("The archive holds no such index.") }
    return entity.indexes[position]
  }

  private static func text(_ coder: NSCoder, _ key: String) -> String? {
    coder.decodeObject(of: NSString.self, forKey: key).map { String(describing: $0) }
  }

  private static func read(_ coder: NSCoder, into model: NSManagedObjectModel) throws {
    guard let data = coder.decodeObject(of: NSData.self, forKey: archiveKey) else {
      throw ArchiveProblem("The archive holds no model.")
    }
    try ModelDecoder.decode(data as Data, into: model, allowingParts: true)
  }

  private static func decode(_ coder: NSCoder, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      let reason = (error as? ArchiveProblem)?.reason ?? (error as? ModelProblem)?.reason ?? "\(error)"
      coder.failWithError(CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: reason]))
      return false
    }
  }
}
