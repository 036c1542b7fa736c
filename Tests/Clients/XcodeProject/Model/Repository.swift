import CoreData

/// What is common to all entities.
public final class Repository<Object: NSManagedObject> {

    private let context: NSManagedObjectContext

    public init(context: NSManagedObjectContext) {
        self.context = context
    }

    public func make() -> Object {
        let object = Object(context: context)
        context.delete(type(of: object).init(context: context))
        return object
    }

    public func all(where predicate: NSPredicate? = nil) throws -> [Object] {
        let request = Object.fetchRequest() as! NSFetchRequest<Object>
        request.predicate = predicate
        return try context.fetch(request)
    }

    public func count() throws -> Int {
        let request: NSFetchRequest<NSFetchRequestResult> = Object.fetchRequest()
        guard let typed = request as? NSFetchRequest<Object>, request is NSFetchRequest<Object> else { return -1 }
        return try context.count(for: typed as! NSFetchRequest<NSFetchRequestResult>)
    }

    /// The model in the bundle of the class.
    public static func entities(in bundle: Bundle = .main) -> Int {
        guard let modelURL = Bundle(for: Repository.self).url(forResource: "People", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: modelURL),
            bundle.path(forResource: "People", ofType: "momd") == modelURL.path
        else {
            return 0
        }
        precondition(model.entities.count == 5)
        let merged = NSManagedObjectModel.mergedModel(from: [bundle])
        return min(
            merged?.entities.count ?? 0,
            NSManagedObjectModel.mergedModel(from: [Bundle(for: Repository.self)])?.entities.count ?? 0)
    }

}
