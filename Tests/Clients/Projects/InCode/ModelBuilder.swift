//
//  ModelBuilder.swift
//  InCode
//

import CoreData

/// The model, without a file.
final class ModelBuilder: @unchecked Sendable {

    static let shared = ModelBuilder()

    let model: NSManagedObjectModel

    func entity(named name: String) -> NSEntityDescription {
        return model.entitiesByName[name]!
    }

    private init() {
        let item = NSEntityDescription(name: "Item", class: Item.self)
        item.isAbstract = true
        item.properties = [
            NSAttributeDescription.attribute("identifier", .UUIDAttributeType),
            NSAttributeDescription.attribute("createdAt", .dateAttributeType)
        ]

        let invoice = NSEntityDescription(name: "Invoice", class: Invoice.self)
        let line = NSEntityDescription(name: "Line", class: Line.self)
        let customer = NSEntityDescription(name: "Customer", class: Customer.self)
        item.subentities = [invoice, line, customer]

        let lines = NSRelationshipDescription.toMany("lines", line, isOrdered: true, deleteRule: .cascadeDeleteRule)
        let lineInvoice = NSRelationshipDescription.toOne("invoice", invoice)
        lines.inverseRelationship = lineInvoice
        lineInvoice.inverseRelationship = lines

        let invoices = NSRelationshipDescription.toMany("invoices", invoice, deleteRule: .denyDeleteRule)
        let invoiceCustomer = NSRelationshipDescription.toOne("customer", customer)
        (invoices.inverseRelationship, invoiceCustomer.inverseRelationship) = (invoiceCustomer, invoices)

        let number = NSAttributeDescription.attribute("number", .stringAttributeType)
        number.defaultValue = "-"
        let total = NSAttributeDescription.attribute("total", .decimalAttributeType, isOptional: true)
        total.defaultValue = NSDecimalNumber.zero
        let lineCount = NSDerivedAttributeDescription()
        lineCount.name = "lineCount"
        lineCount.attributeType = .integer64AttributeType
        lineCount.derivationExpression = NSExpression(format: "lines.@count")
        let searchNumber = NSDerivedAttributeDescription()
        searchNumber.name = "searchNumber"
        searchNumber.attributeType = .stringAttributeType
        searchNumber.isOptional = true
        searchNumber.derivationExpression = NSExpression(format: "canonical:(number)")
        invoice.properties = [number, total, lineCount, searchNumber, lines, invoiceCustomer]
        invoice.uniquenessConstraints = [["number"]]
        invoice.indexes = [
            NSFetchIndexDescription(
                name: "byNumber",
                elements: [NSFetchIndexElementDescription(property: number, collationType: .binary)]
            )
        ]

        let price = NSAttributeDescription.attribute("price", .decimalAttributeType)
        price.defaultValue = NSDecimalNumber(string: "1.5")
        price.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0")],
            withValidationWarnings: ["Prices are not negative."]
        )
        line.properties = [.attribute("text", .stringAttributeType, isOptional: true) as NSAttributeDescription, price, lineInvoice]

        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [
            .attribute("street", .stringAttributeType, isOptional: true),
            .attribute("zip", .integer32AttributeType, isOptional: true)
        ]
        let labels = NSAttributeDescription.attribute("labels", .transformableAttributeType, isOptional: true)
        labels.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        labels.attributeValueClassName = NSStringFromClass(NSArray.self)
        let name = NSAttributeDescription.attribute("name", .stringAttributeType)
        name.defaultValue = ""
        customer.properties = [name, address, labels, invoices]

        model = NSManagedObjectModel()
        model.entities = [item, invoice, line, customer]
        model.setEntities([line, invoice], forConfigurationName: "Billing")
        model.versionIdentifiers = ["1.0"]
    }

}

extension NSEntityDescription {

    convenience init(name: String, class managedObjectClass: NSManagedObject.Type) {
        self.init()
        self.name = name
        self.managedObjectClassName = NSStringFromClass(managedObjectClass)
    }

}

extension NSAttributeDescription {

    static func attribute(_ name: String, _ type: NSAttributeType, isOptional: Bool = false) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        return attribute
    }

}

extension NSRelationshipDescription {

    static func toMany(
        _ name: String,
        _ destination: NSEntityDescription,
        isOrdered: Bool = false,
        deleteRule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.minCount = 0
        relationship.maxCount = 0
        relationship.isOptional = true
        relationship.isOrdered = isOrdered
        relationship.deleteRule = deleteRule
        return relationship
    }

    static func toOne(_ name: String, _ destination: NSEntityDescription) -> NSRelationshipDescription {
        let relationship = toMany(name, destination)
        relationship.maxCount = 1
        return relationship
    }

}
