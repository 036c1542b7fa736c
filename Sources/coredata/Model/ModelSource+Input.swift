import CoreDataTools
import ModelCompilerCore
import OpenCoreData

extension ModelSource {
  /// Creates the source of the generated classes, for every entity that names a class.
  init(_ input: ModelInput, isScalar: Bool) {
    self.init(path: input.url.path)
    for entity in input.model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      // The classes are all generated for one module, so a module in front of the class name is left out.
      let className = entity.managedObjectClassName?.split(separator: ".").last.map(String.init)
      var source = EntitySource(name: entity.name ?? "", className: className)
      source.parent = entity.superentity?.name
      source.generation = className == nil || className == "NSManagedObject" ? .manual : .definition
      for property in entity.declaredProperties {
        switch property {
        case let attribute as NSAttributeDescription:
          let composite = attribute is NSCompositeAttributeDescription ? attribute.name : nil
          if let composite { composites.insert(composite) }
          source.attributes.append(
            AttributeSource(
              name: attribute.name, type: attribute.attributeType.name, isTransient: attribute.isTransient,
              isScalar: isScalar || attribute.usesScalarValueType,
              customClassName: attribute.attributeValueClassName, composite: composite))
        case let relationship as NSRelationshipDescription:
          source.relationships.append(
            RelationshipSource(
              name: relationship.name, destination: relationship.destinationEntity?.name,
              inverseName: relationship.inverseRelationship?.name, isToMany: relationship.isToMany,
              isOrdered: relationship.isOrdered))
        default: break
        }
      }
      entities.append(source)
    }
  }
}
