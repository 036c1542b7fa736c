import Foundation

extension NSManagedObjectModel {
  /// A model with the same contents that can be changed; its entities and properties are copied, too. This is the way to
  /// change a model that is in use.
  public final func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSManagedObjectModel()
    var properties: [ObjectIdentifier: NSPropertyDescription] = [:]
    let roots = storedEntities.filter { $0.parent == nil }.map { $0.detachedCopy(replaced: &properties) }
    copy.entities = roots
    let copies = copy.entitiesByName
    // The order of the list is the original's; the copies were made from the roots down.
    copy.entities = storedEntities.compactMap { $0.name.flatMap { copies[$0] } }
    for case let relationship as NSRelationshipDescription in properties.values {
      relationship.destinationEntity = relationship.destinationEntity?.name.flatMap { copies[$0] }
      relationship.inverseRelationship = relationship.inverseRelationship.flatMap {
        properties[ObjectIdentifier($0)] as? NSRelationshipDescription
      }
    }
    for (index, element) in copy.entities.flatMap(\.indexes).flatMap({ i in i.elements.map { (i, $0) } }) {
      guard let property = element.storedProperty, let owner = index.owner else { continue }
      element.storedProperty = owner.propertiesByName[property.name] ?? property
    }
    copy.versionIdentifiers = versionIdentifiers
    copy.templates = templates
    copy.localizationDictionary = localizationDictionary
    copy.entitiesByConfiguration = entitiesByConfiguration.mapValues { members in
      members.compactMap { $0.name.flatMap { copies[$0] } }
    }
    return copy
  }
}
