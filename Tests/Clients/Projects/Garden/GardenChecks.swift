//
//  GardenChecks.swift
//  Garden
//

import CoreData
import Expect
import StackKit

@MainActor
public enum GardenChecks {

    public static func run() throws {
        try stacks()
        versions()
        try resources()
        catalogue()
    }

    private static func stacks() throws {
        let stacks = [
            try CoreDataStack(modelName: "Garden", bundle: Bundle(for: Plant.self)),
            try CoreDataStack(modelName: "Garden"),
            try CoreDataStack(name: "Garden", bundles: [Bundle(for: Seeds.self)])
        ]
        observe(stacks[0])
        // All models of the program, among them this one.
        expect(try CoreDataStack(name: "All").container.managedObjectModel.entitiesByName["Plant"] != nil)
        for stack in stacks {
            let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: stack.container.viewContext)
            expect((plant as? Plant)?.height == 0)
            try stack.container.viewContext.save()
            try wait(in: stack.container.viewContext)
            let search = Search(predicate: Predicate("height >= %@", 0))
            expect(try search.run(in: stack.container.viewContext).count == 1)
        }
        let all = NSManagedObjectModel.mergedModel(from: [Bundle.main])
        expect(all?.entitiesByName["Plant"]?.attributesByName["height"] != nil)
        do {
            _ = try CoreDataStack(modelName: "Nothing")
            expect(false)
        } catch CoreDataStack.StackError.modelNotFound(let name) {
            expect(name == "Nothing")
        }
    }

    private static func observe(_ stack: CoreDataStack) {
        let gardener = Gardener()
        expect(StackCloser(observer: gardener).close(stack) == "Garden" && gardener.loads == 1)
        expect(StackCloser(observer: Silent()).close(stack) == "none")
    }

    /// The kit's function and the framework's have one form.
    private static func wait(in context: NSManagedObjectContext) throws {
        let five = context.performAndWait { 5 }
        let count = try context.performAndWait { try context.count(for: NSFetchRequest<Plant>(entityName: "Plant")) }
        context.performAndWait { expect(five + count == 6) }
    }

    private static func versions() {
        for versions in [ModelVersions(modelName: "Garden", bundle: Bundle(for: Plant.self)), ModelVersions(modelName: "Garden")] {
            expect(versions.names == ["Garden", "Garden 2"])
            expect(versions.model(named: "Garden")?.entitiesByName["Plant"]?.attributesByName.count == 1)
            expect(versions.path(ofModel: "Garden") != nil && versions.path(ofModel: "Nothing") == nil)
        }
    }

    private static func catalogue() {
        let catalogue = Catalogue()
        expect(catalogue.title == "Seeds" && catalogue.count(on: "Top") == "Top: 2")
        catalogue.sell("Dill")
        expect(catalogue.map { "\($0)" } == ["Basil"] && catalogue.sold == ["Dill"] as NSSet)
        expect(catalogue.opening > DispatchTime.now())
    }

    private static func resources() throws {
        expect(try Seeds().names() == ["Basil", "Dill"])
        expect(Seeds().paths().allSatisfy { $0?.hasSuffix("seeds.json") == true })
    }

}
