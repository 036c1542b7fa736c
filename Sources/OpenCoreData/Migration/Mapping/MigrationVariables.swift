// The variables of value expressions, without their dollar signs.

/// The variable of value expressions that stands for the migration manager: `$manager`.
public let NSMigrationManagerKey = "manager"
/// The variable of value expressions that stands for the object of the source: `$source`.
public let NSMigrationSourceObjectKey = "source"
/// The variable of value expressions that stands for the object of the destination: `$destination`.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable of value expressions that stands for the entity mapping: `$entityMapping`.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable of value expressions that stands for the property mapping: `$propertyMapping`.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable of value expressions that stands for the entity's migration policy: `$entityPolicy`.
public let NSMigrationEntityPolicyKey = "entityPolicy"
