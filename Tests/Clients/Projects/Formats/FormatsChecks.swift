//
//  FormatsChecks.swift
//  Formats
//

import CoreData
import Expect

@MainActor
public enum FormatsChecks {

    public static func run(in folder: URL) throws {
        Foundation.ValueTransformer.setValueTransformer(RotatingTransformer(offset: 13), forName: .rotating)
        NSPersistentStoreCoordinator.registerStoreClass(LinesStore.self, forStoreType: LinesStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(RemoteStore.self, forStoreType: RemoteStore.storeType)
        try atomic(at: folder.appendingPathComponent("notes.txt"))
        try incremental()
        transformers()
        try localClasses()
    }

    private static let model: NSManagedObjectModel = {
        let note = NSEntityDescription()
        note.name = "Note"
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        text.isOptional = true
        note.properties = [text]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }()

    private static func atomic(at url: URL) throws {
        for expected in [1, 2] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(ofType: LinesStore.storeType, configurationName: nil, at: url, options: nil)
            expect(store is LinesStore)
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("note \(expected)", forKey: "text")
            try context.save()
            expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note")) == expected)
        }
        expect(try String(contentsOf: url, encoding: .utf8) == "note 1\nnote 2")
    }

    private static func incremental() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = URL(string: "remote://notes")!
        try coordinator.addPersistentStore(ofType: RemoteStore.storeType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        expect(notes.map { $0.value(forKey: "text") as? String } == ["remote"])
        let store = RemoteStore(service: FixedNotes(), coordinator: coordinator, url: url)
        expect(store.service.texts() == ["remote"])
    }

    private static func transformers() {
        let transformer = Foundation.ValueTransformer(forName: .rotating)
        let data = transformer?.transformedValue("Note")
        expect(data as? Data != Data("Note".utf8) && transformer?.reverseTransformedValue(data) as? String == "Note")
        expect(ListTransformer(label: "names").label == "names" && ListTransformer().label == "list")
        expect(Foundation.NSExpression(forConstantValue: 1).constantValue as? Int == 1)
    }

    /// Classes in a function, as tests have them.
    private static func localClasses() throws {
        class Dummy: NSManagedObject {
            @NSManaged var text: String?
            @NSManaged var first, second: String?
            let created = Date()

            init(text: String, context: NSManagedObjectContext) {
                super.init(entity: NSEntityDescription.entity(forEntityName: "Dummy", in: context)!, insertInto: context)
                self.text = text
            }
        }
        @objc(Other) final class OtherDummy: Dummy {
            @objc override var description: String { return "other \(text ?? "") \(#keyPath(Dummy.text))" }
        }
        let entity = NSEntityDescription()
        entity.name = "Dummy"
        entity.properties = ["text", "first", "second"].map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let dummy = OtherDummy(text: "a", context: context)
        dummy.first = "b"
        try context.save()
        context.refresh(dummy, mergeChanges: false)
        expect(dummy.first == "b" && dummy.second == nil && "\(dummy)" == "other a text")
        expect(Dummy(entity: entity, insertInto: nil).text == nil)
    }

}
