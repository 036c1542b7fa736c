//
//  InCodeChecks.swift
//  InCode
//

import CoreData
import Expect

@MainActor
public enum InCodeChecks {

    public static func run(in folder: URL) throws {
        let model = ModelBuilder.shared.model
        let container = NSPersistentContainer(name: "InCode", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("InCode.sqlite"))
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in expect(error == nil) }

        try invoices(in: container.viewContext)
        try customers(in: container.viewContext)
        try names(in: container)
        loose()
    }

    private static func invoices(in context: NSManagedObjectContext) throws {
        let invoice = Invoice(number: "Ä-1", insertInto: context)
        expect(invoice.entity === Invoice.entity() && invoice.isInserted)
        _ = Line(text: "Work", price: 10, invoice: invoice)
        let material = Line(text: "Material", price: NSDecimalNumber(string: "2.25"), invoice: invoice)
        expect(invoice.allLines.map { $0.text ?? "" } == ["Work", "Material"] && material.invoice === invoice)
        try context.save()
        expect(invoice.total == NSDecimalNumber(string: "12.25"))
        context.refresh(invoice, mergeChanges: false)
        expect(invoice.lineCount == 2 && invoice.searchNumber == "a-1")

        let request = Invoice.fetchRequest()
        request.predicate = NSPredicate(format: "%K > 1 AND SUBQUERY(lines, $l, $l.price < 5).@count == 1", #keyPath(Invoice.lineCount))
        expect(try context.fetch(request) == [invoice])
        material.price = -1
        do {
            try context.save()
            expect(false)
        } catch let error as NSError {
            expect(error.domain == NSCocoaErrorDomain && error.code >= NSManagedObjectValidationError)
            expect(error.userInfo[NSValidationKeyErrorKey] as? String == "price")
        }
        context.rollback()
        expect(material.price == NSDecimalNumber(string: "2.25"))
    }

    private static func customers(in context: NSManagedObjectContext) throws {
        let customer = Customer(context: context)
        customer.name = "Ada"
        customer.address = ["street": "Main", "zip": 12345]
        customer.labels = ["good", "old"]
        expect(!customer.isSelected && customer.wakeUps == 0 && Customer(entity: Customer.entity(), insertInto: nil).isSelected)
        let request = NSFetchRequest<Invoice>(entityName: Invoice.entityName)
        customer.invoices = Set(try context.fetch(request))
        try context.save()
        context.refreshAllObjects()
        expect(customer.address?["zip"] as? Int == 12345 && customer.labels == ["good", "old"])
        expect(customer.wakeUps == 1 && customer.invoices.first?.customer === customer)
        let byStreet = NSFetchRequest<NSFetchRequestResult>(entityName: "Customer")
        byStreet.predicate = NSPredicate(format: "address.street BEGINSWITH %@", "Ma")
        expect(try context.count(for: byStreet) == 1)
        context.delete(customer)
        do {
            try context.save()
            expect(false)
        } catch CocoaError.validationRelationshipDeniedDelete {}
        context.rollback()
        expect(!customer.isDeleted)

        let second = Invoice(number: "Ä-1", insertInto: context)
        do {
            try context.save()
            expect(false)
        } catch let error as NSError {
            let conflicts = error.userInfo["conflictList"] as? [NSConstraintConflict]
            expect(error.code == NSManagedObjectConstraintMergeError && conflicts?.first?.constraint == ["number"])
        }
        context.delete(second)
        try context.save()
    }

    private static func names(in container: NSPersistentContainer) throws {
        for entity in container.managedObjectModel.entities {
            guard let name = entity.managedObjectClassName,
                  let type = NSClassFromString(name) as? Item.Type else {
                expect(false)
                continue
            }
            expect(type.entityName == entity.name && type.entity() === entity)
        }
        let all = NSFetchRequest<Item>(entityName: "Item")
        all.sortDescriptors = [NSSortDescriptor(keyPath: \Item.createdAt, ascending: true)]
        let found = try container.viewContext.fetch(all)
        expect(found.count == 4 && found.filter { $0 is Line }.count == 2)
        let configured = container.managedObjectModel.entities(forConfigurationName: "Billing")?.compactMap(\.name).sorted()
        expect(configured == ["Invoice", "Line"])
        let background = container.newBackgroundContext()
        try background.performAndWait {
            let type: Item.Type = Invoice.self
            let made = type.init(entity: type.entity(), insertInto: background)
            expect((made as? Invoice)?.number == "-" && made.entity.name == "Invoice")
            background.delete(made)
            try background.save()
        }
    }

    /// Objects without a context or an entity, as placeholders in tests and previews.
    private static func loose() {
        let invoice = Invoice(number: "loose", insertInto: nil)
        expect(invoice.managedObjectContext == nil && invoice.number == "loose" && invoice.objectID.isTemporaryID)
        let conflict: NSConstraintConflict? = nil
        let placeholder: () -> NSManagedObject = { NSManagedObject() }
        let identifier: () -> NSManagedObjectID = { NSManagedObjectID() }
        expect(conflict == nil && type(of: placeholder) == (() -> NSManagedObject).self)
        expect(type(of: identifier) == (() -> NSManagedObjectID).self)
    }

}
