import { named, type Program } from './program.ts';

const MANY: Program = { others: 'plain' };

/** What reaches out of the container into the machine. */
const DOCKER_RUN: Program = {
  ordered: true,
  plain:
    '-ditPqh -a: -c: -e: -h: -l: -m: -p: -u: -w: --rm --detach --interactive --tty --name= --env= --publish= --publish-all --workdir= --user= --entrypoint= ' +
    '--hostname= --label= --memory= --cpus= --restart= --init --pull= --platform= --quiet --read-only --add-host= --dns= --expose= --health-cmd= --no-healthcheck --shm-size= --stop-timeout= --ulimit= --tmpfs= --network-alias= --log-driver= --service-ports --no-deps --no-TTY -T --build --remove-orphans --detach-keys=',
  runs: '--config= --host= -H: --privileged --network= --net= --pid= --ipc= --uts= --userns= --cap-add= --security-opt= --device= --device-cgroup-rule= --cgroup-parent= --cgroupns= --runtime= --gpus= --group-add= --sysctl= --log-opt= --isolation= --env-file= --env-from-file= --annotation= --storage-opt=',
  writes: '-v: --volume= --mount= --volumes-from= --volume-driver= --cidfile=',
  harmless: {
    '--network': /^(?!host$|container:)/,
    '--net': /^(?!host$|container:)/,
  },
  launch: { skip: 1, module: '--entrypoint' },
};
const DOCKER_EXEC: Program = {
  ordered: true,
  plain: '-ditTu: -e: -u: -w: --detach --interactive --tty --no-TTY --env= --user= --workdir= --index= --detach-keys=',
  runs: '--privileged --env-file= -H: --host= --config=',
  launch: { skip: 1 },
};

/** Which daemon to talk to, and programs for logging in: plugins take these after their subcommand, too. */
const CLIENT = '-H: --host= --config= --tlscacert= --tlscert= --tlskey=';

/** A file of the project, by its usual name, is as good as the one it takes by default. */
const COMPOSE_FILE = /^(\.\/)?([\w-][\w.-]*\/)*(docker-)?compose[\w.-]*\.ya?ml$/;
const COMPOSE: Program = {
  plain:
    '-p: --project-name= --profile= --ansi= --progress= --parallel= --compatibility --dry-run --verbose --all-resources',
  runs: '-f: --file= --env-file=',
  moves: '--project-directory= --workdir=',
  harmless: { '-f': COMPOSE_FILE, '--file': COMPOSE_FILE, '--env-file': /^(\.\/)?([\w-][\w.-]*\/)*\.env(\.[\w.-]+)?$/ },
  subcommands: {
    run: DOCKER_RUN,
    exec: DOCKER_EXEC,
    ...named('convert config', {
      others: 'plain',
      runs: CLIENT,
      writes: '-o: --output= --lock-image-digests',
    }),
  },
  otherwise: { others: 'plain', runs: CLIENT },
};

const BUILD: Program = {
  others: 'plain',
  plain:
    '-t: -f: -q --tag= --file= --build-arg= --target= --platform= --no-cache --pull --progress= --label= --cache-from=',
  runs: '--config= --host= --cgroup-parent= --allow= --builder= --secret= --ssh= --security-opt= --build-context= --network=',
  writes: '-o: --output= --iidfile= --metadata-file= --cache-to= --cidfile=',
  harmless: { '--network': /^(default|none)$/ },
};

const DOCKER: Program = {
  plain: '-Dv -l: -c: --debug --context= --log-level= --tls --tlsverify',
  runs: '-H: --host= --config= --tlscacert= --tlscert= --tlskey=',
  subcommands: {
    ...named('run create', DOCKER_RUN),
    exec: DOCKER_EXEC,
    container: {
      subcommands: { ...named('run create', DOCKER_RUN), exec: DOCKER_EXEC, export: { writes: '-o: --output=' } },
      otherwise: MANY,
    },
    compose: COMPOSE,
    build: BUILD,
    builder: { subcommands: { build: BUILD }, otherwise: MANY },
    buildx: {
      subcommands: {
        build: BUILD,
        bake: {
          others: 'plain',
          runs: '-f: --file= --allow= --set= -H: --host= --config=',
          writes: '--metadata-file=',
        },
      },
      otherwise: {},
    },
    image: { subcommands: { build: BUILD, save: { writes: '-o: --output=' } }, otherwise: MANY },
    unshare: { ordered: true, spelled: true, launch: {} },
    ...named('save export', { writes: '-o: --output=' }),
    // continues processes as they were saved
    start: { others: 'plain', runs: '--checkpoint= --checkpoint-dir=' },
    context: { subcommands: named('ls list show inspect', MANY), otherwise: { spelled: true, others: 'plain' } },
    ...named('plugin trust swarm scout', { spelled: true, others: 'plain' }),
  },
  otherwise: MANY,
};

/** A kubeconfig can name a program to run for logging in. */
const KUBECTL: Program = {
  plain:
    '-n: -v: --namespace= --context= --cluster= --user= --as= --as-group= --as-uid= --request-timeout= --insecure-skip-tls-verify? --disable-compression --match-server-version --v= --warnings-as-errors',
  runs: '-s: --kubeconfig= --server= --token= --certificate-authority= --client-certificate= --client-key= --username= --password= --tls-server-name=',
  writes: '--cache-dir= --log-file= --log-dir= --profile= --profile-output=',
  shared: true,
  subcommands: {
    exec: {
      plain: '-itqc: -f: --stdin --tty --quiet --container= --filename= --pod-running-timeout=',
      launch: { skip: 1, afterDashes: true },
    },
    run: {
      others: 'plain',
      runs: '--overrides= --override-type= --privileged',
      launch: { skip: 1, afterDashes: true },
    },
    debug: { others: 'plain', runs: '--custom= --profile=', launch: { skip: 1, afterDashes: true } },
    kustomize: {
      others: 'plain',
      runs: '--as-current-user? --network-name= -e: --env= --mount= --enable-exec --enable-alpha-plugins --enable-helm --helm-command= --load-restrictor= --network',
      writes: '-o: --output=',
    },
    config: {
      subcommands: named('current-context get-contexts get-clusters get-users view', MANY),
      otherwise: { spelled: true, others: 'plain' },
    },
    ...named('edit plugin proxy', { spelled: true, others: 'plain' }),
    create: { others: 'plain', runs: '--edit?' },
    'cluster-info': { others: 'plain', writes: '--output-directory=' },
  },
  otherwise: MANY,
};

const HELM: Program = {
  plain: '-n: --namespace= --kube-context= --debug --kube-as-user= --burst-limit= --qps=',
  runs: '--kubeconfig= --kube-apiserver= --kube-token= --kube-ca-file= --kube-tls-server-name=',
  writes: '--repository-cache= --repository-config= --registry-config=',
  shared: true,
  subcommands: {
    ...named('install upgrade template lint test', {
      others: 'plain',
      plain: '-f: -i -g --values= --set= --set-string= --version= --install --wait --timeout=',
      runs: '--post-renderer= --post-renderer-args= --repo= --ca-file= --cert-file= --key-file= --keyring= --plain-http',
      writes: '--output-dir=',
    }),
    plugin: { subcommands: named('list ls', MANY), otherwise: { spelled: true, others: 'plain' } },
    env: MANY,
    registry: { spelled: true, others: 'plain' },
    pull: { others: 'plain', writes: '-d: --destination= --untardir=' },
    package: { others: 'plain', writes: '-d: --destination=' },
  },
  otherwise: MANY,
};

/** Containers and orchestration. */
export const CONTAINERS: Record<string, Program> = {
  ...named('docker podman nerdctl', DOCKER),
  'docker-compose': COMPOSE,
  'podman-compose': COMPOSE,
  kubectl: KUBECTL,
  oc: { ...KUBECTL, subcommands: { ...KUBECTL.subcommands, rsh: { ordered: true, launch: { skip: 1 } } } },
  helm: HELM,
  ...named('lxc incus', { subcommands: { exec: { launch: { skip: 1, afterDashes: true } } } }),
};
